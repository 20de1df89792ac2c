"""The panel in the sidebar of the 3D view."""
import bpy

from . import scene as scenes
from .properties import SLIDERS


class SUPPLE_UL_regions(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.row()
        row.label(text=item.name)
        row.prop(item, "amount", text="", emboss=False)


class SUPPLE_PT_panel(bpy.types.Panel):
    bl_label, bl_category = "Supple", "Supple"
    bl_space_type, bl_region_type = "VIEW_3D", "UI"

    def draw(self, context):
        layout = self.layout
        try:
            armature = scenes.selected_armature(context)
        except scenes.Trouble as trouble:
            layout.label(text=str(trouble))
            return
        settings = armature.supple
        layout.prop(settings, "preset")
        layout.operator("supple.add_flesh", text="Propose Again" if settings.rig else "Add Flesh", icon="MOD_SOFT")
        layout.operator("supple.import_rig", icon="IMPORT")
        if not settings.rig:
            return
        if settings.message:
            layout.label(text=settings.message, icon="ERROR")
        row = layout.row()
        row.prop(settings, "enabled")
        row.prop(settings, "overlay")
        layout.template_list("SUPPLE_UL_regions", "", settings, "regions", settings, "active")
        row = layout.row(align=True)
        row.operator("supple.mirror")
        row.operator("supple.remove_region", text="Remove")
        if settings.active < len(settings.regions):
            column = layout.column(align=True)
            for field in SLIDERS:
                column.prop(settings.regions[settings.active], field.name)
        column = layout.column(align=True)
        column.operator("supple.weights")
        column.operator("supple.refresh")
        column.operator("supple.export_rig", icon="EXPORT")
        column = layout.column(align=True)
        if context.window_manager.supple_progress > 0:
            column.prop(context.window_manager, "supple_progress", slider=True)
        column.prop(settings, "loop")
        column.prop(settings, "use_scene_range")
        column.operator("supple.bake_bones")
        column.operator("supple.bake_shape_keys")
        column.operator("supple.bake_mesh_cache")
        self.draw_anatomy(layout)
        layout.operator("supple.remove_flesh", icon="TRASH")

    def draw_anatomy(self, layout):
        column = layout.column(align=True)
        column.label(text="Beneath the skin")
        column.operator("supple.add_muscles")
        column.operator("supple.add_fat")
        column.operator_menu_enum("supple.show_anatomy", "what")


def register():
    bpy.utils.register_class(SUPPLE_UL_regions)
    bpy.utils.register_class(SUPPLE_PT_panel)


def unregister():
    bpy.utils.unregister_class(SUPPLE_PT_panel)
    bpy.utils.unregister_class(SUPPLE_UL_regions)
