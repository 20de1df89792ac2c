# In Godot 3: plays the clips of an imported scene, and writes what its skinning would draw with: vertices with their bones and weights, and each bone's
# matrix at each time. As little-endian words: 32-bit integers and floats.
#
# usage: godot3-server --path PROJECT -s godot_side.gd WORK.json RESULT.bin
extends SceneTree


func find(node, type, found):
	if node.is_class(type):
		found.append(node)
	for child in node.get_children():
		find(child, type, found)
	return found


func store_transform(file, matrix):
	for column in [matrix.basis.x, matrix.basis.y, matrix.basis.z, matrix.origin]:
		file.store_float(column.x)
		file.store_float(column.y)
		file.store_float(column.z)


func store_meshes(file, meshes):
	file.store_32(meshes.size())
	for instance in meshes:
		file.store_32(instance.mesh.get_surface_count())
		for surface in range(instance.mesh.get_surface_count()):
			var arrays = instance.mesh.surface_get_arrays(surface)
			var places = arrays[Mesh.ARRAY_VERTEX]
			var bones = arrays[Mesh.ARRAY_BONES]
			var weights = arrays[Mesh.ARRAY_WEIGHTS]
			file.store_32(places.size())
			for i in range(places.size()):
				file.store_float(places[i].x)
				file.store_float(places[i].y)
				file.store_float(places[i].z)
				for k in range(4):
					file.store_32(int(bones[4 * i + k]))
					file.store_float(weights[4 * i + k])


func store_pose(file, meshes):
	for instance in meshes:
		var skeleton = instance.get_node(instance.skeleton)
		file.store_32(instance.skin.get_bind_count())
		for bind in range(instance.skin.get_bind_count()):
			var bone = instance.skin.get_bind_bone(bind)
			if bone < 0: # bound by its name
				bone = skeleton.find_bone(instance.skin.get_bind_name(bind))
			store_transform(file, skeleton.global_transform * skeleton.get_bone_global_pose(bone) * instance.skin.get_bind_pose(bind))


func _initialize():
	var words = OS.get_cmdline_args()
	var work = File.new()
	work.open(words[words.size() - 2], File.READ)
	var files = JSON.parse(work.get_as_text()).result
	var out = File.new()
	out.open(words[words.size() - 1], File.WRITE)
	for entry in files:
		var packed = load("res://" + entry.scene)
		var first = packed.instance()
		store_meshes(out, find(first, "MeshInstance", []))
		first.free()
		for clip in entry.clips:
			# Godot leaves what a clip does not move as the last one left it, so each is played on a scene of its own
			var scene = packed.instance()
			root.add_child(scene)
			var meshes = find(scene, "MeshInstance", [])
			var player = find(scene, "AnimationPlayer", [])[0]
			for time in clip.times:
				player.play(clip.name)
				player.seek(time, true)
				store_pose(out, meshes)
			scene.free()
	out.close()
	quit()
