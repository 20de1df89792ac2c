"""Characters of arrays and files, rigs, edits, takes, bakes, pictures; bad inputs, lifetimes and memory."""
import gc
import math
import os
import resource
import tempfile
import unittest

import numpy as np

import support
import supple


def tube(rings=12, around=10):
    """A bone of two joints in a tube, with a clip that swings it: all of it arrays."""
    heights = np.repeat(np.linspace(0, 1, rings), around)
    angles = np.tile(np.arange(around) * 2 * np.pi / around, rings)
    positions = np.stack([0.15 * np.cos(angles), heights, 0.15 * np.sin(angles)], 1)
    quads = [(r * around + a, r * around + (a + 1) % around, (r + 1) * around + a, (r + 1) * around + (a + 1) % around)
             for r in range(rings - 1) for a in range(around)]
    indices = [[a, c, b] for a, b, c, d in quads] + [[b, c, d] for a, b, c, d in quads]
    bind = np.tile(np.eye(4), (2, 1, 1))
    bind[1, 1, 3] = -0.5
    weights = np.stack([1 - heights, heights], 1)
    times = np.arange(31) / 30
    half = 0.3 * np.sin(2 * np.pi * times)
    turns = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], 1)
    return dict(
        joints=[supple.JointDef("root"), supple.JointDef("arm", 0, (0, 0.5, 0)), supple.JointDef("tip", 1, (0, 0.5, 0))],
        skins=[supple.SkinDef([0, 1], bind)],
        meshes=[supple.MeshDef(positions, indices, np.tile([0, 1], (len(positions), 1)), weights, name="skin",
                               morphs=[np.ones_like(positions)], morph_names=["shift"])],
        clips=[supple.ClipDef("swing", [supple.TrackDef(0, "rotation", times, turns)])])


RIG = {"elements": [{"driver": "root", "frequency": 3}]}


class Characters(unittest.TestCase):
    def test_of_arrays(self):
        character = supple.Character.create("tube", **tube())
        self.assertEqual((character.joint_count, character.vertex_count, character.morph_weight_count), (3, 120, 1))
        self.assertEqual([joint.name for joint in character.joints], ["root", "arm", "tip"])
        self.assertEqual(character.clips, [supple.Clip("swing", 0.0, 1.0)])
        self.assertEqual(character.meshes[0].morph_names, ("shift",))
        body, pose = supple.Model(character, RIG).body(), character.pose()
        most = 0.0
        for frame in range(90):
            body.step(pose.sample("swing", frame / 30 % 1), 1 / 30)
            most = max(most, float(np.abs(body.skin()[0] - body.smooth_skin()[0]).max()))
        self.assertGreater(most, 1e-3)

    def test_of_bytes_and_back(self):
        made = supple.Character.create("tube", **tube())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tube.glb")
            supple.Gltf.make(made).write(path)
            read = supple.Character.load(path)
            with open(path, "rb") as file:
                same = supple.Character.from_bytes(file.read())
        self.assertEqual(read.fingerprint, made.fingerprint)
        self.assertEqual(same.fingerprint, made.fingerprint)
        self.assertTrue(np.array_equal(read.rest_positions, made.rest_positions))

    def test_what_was_put_right_is_said(self):
        parts = tube()
        parts["meshes"][0].weights[5] = np.nan
        character = supple.Character.create("tube", **parts)
        self.assertEqual(len(character.notes), 1)
        self.assertIn("1 vertex with NaN weights", character.notes[0])

    def test_views_do_not_copy(self):
        character = supple.Character.creature("cat")
        first, second = character.rest_positions, character.rest_positions
        self.assertTrue(np.shares_memory(first, second))
        self.assertFalse(first.flags.writeable)
        body = supple.Model(character, supple.propose_rig(character)).body()
        positions, normals = np.empty((2, character.vertex_count, 3), np.float32)
        body.step(character.pose().sample("run", 0.2), 1 / 30)
        out = body.skin(positions, normals)
        self.assertIs(out[0], positions)
        self.assertIs(out[1], normals)
        self.assertLess(np.abs(positions - body.skin(normals=None)[0]).max(), 1e-6)


class Rigs(unittest.TestCase):
    def test_dicts(self):
        character = supple.Character.creature("woman")
        rig, why = supple.propose(character, "heavy", regions={"calf": 0})
        self.assertEqual(why.kind, "human")
        self.assertEqual([one["name"] for one in rig["elements"]], [one.name for one in why.elements])
        self.assertFalse(any("calf" in one.name for one in why.elements))
        self.assertEqual(supple.check_rig(rig), rig)
        self.assertGreater(len(supple.add_muscles(rig, character)["muscles"]), 20)
        self.assertEqual(len(supple.add_fat({}, character)["fat"]), 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.rig.json")
            supple.write_rig(rig, path)
            self.assertEqual(supple.read_rig(path), rig)
        self.assertIn("elements", supple.rig_schema()["properties"])
        plain = {"gravity": [0, -5, 0], "elements": [{"driver": "hips", "frequency": 2.5}]}
        counted = {"gravity": np.array([0, -5, 0]), "elements": [{"driver": "hips", "frequency": np.float32(2.5)}]}
        self.assertEqual(supple.check_rig(counted), supple.check_rig(plain))
        with self.assertRaisesRegex(TypeError, "set"):
            supple.check_rig({"elements": {1}})
        flesh = supple.layers()[0]
        self.assertEqual((flesh.key, flesh.field("frequency").unit, flesh.field("frequency").live), ("elements", "Hz", True))

    def test_drawings(self):
        """What is drawn of springs is how far the skin goes; the triangles of muscles keep their order."""
        character = supple.Character.creature("woman")
        rig = supple.add_muscles(supple.propose_rig(character), character)
        body = supple.Model(character, rig).body()
        pose, forms = character.pose(), []
        for frame in range(8):
            body.step(pose.sample("run", frame / 30), 1 / 30)
            forms.append(body.draw("muscles"))
        self.assertEqual(forms[0].triangles.shape, forms[-1].triangles.shape)
        self.assertGreater(np.abs(forms[0].triangles - forms[-1].triangles).max(), 0.01)
        lengths = np.linalg.norm(forms[0].triangle_normals, axis=2)
        self.assertTrue(np.all(np.isfinite(lengths)) and np.all(forms[0].triangle_colors[..., 3] == 1))
        springs = body.draw("springs")
        for number, (rest, now) in enumerate(springs.points.reshape(-1, 2, 3)):
            self.assertLess(np.abs(now - rest - body.element(number).elongation).max(), 1e-5)
        self.assertEqual(body.draw("weights").scalars.shape, (character.vertex_count,))
        self.assertEqual(body.draw("elements").colors.shape, (character.vertex_count, 4))
        self.assertEqual(len(body.draw("fat").lines), 0)
        with self.assertRaisesRegex(supple.NotFoundError, "muscles"):
            body.draw("muscels")

    def test_edits(self):
        character = supple.Character.create("tube", **tube())
        with supple.Editor(character, RIG) as editor:
            body = editor.body
            editor.set("elements", 0, "frequency", 2.0)
            self.assertIs(editor.body, body)
            editor.set("elements", 0, "boneThickness", 0.02)
            self.assertIsNot(editor.body, body)
            with self.assertRaisesRegex(ValueError, "closed"):
                body.skin()
            self.assertEqual(editor.number("elements", 0, "frequency"), 2.0)
            self.assertEqual(editor.rig["elements"][0]["frequency"], 2)
            with self.assertRaisesRegex(supple.SuppleError, r"elements\[0\].frequency"):
                editor.set("elements", 0, "frequency", -1.0)
            body = editor.body
            body.set_field("elements", 0, "amount", 2.0)
            self.assertEqual(body.field("elements", 0, "amount"), 2.0)
            self.assertTrue(math.isnan(body.field("elements", 0, "nothing")))


class Bakes(unittest.TestCase):
    def setUp(self):
        self.character = supple.Character.create("tube", **tube())
        self.model = supple.Model(self.character, RIG)

    def test_take_is_exact_in_any_order(self):
        take, body = supple.Take(self.model, "swing"), self.model.body()
        self.assertTrue(take.info.loops)
        shown = {}
        for time in (0.1, 0.7, 0.3, 0.7, 0.1):
            take.show(time, body)
            shown.setdefault(time, []).append(body.skin()[0])
        self.assertTrue(np.array_equal(*shown[0.1]))
        self.assertTrue(np.array_equal(*shown[0.7]))

    def test_joint_bake_gives_the_skin_back(self):
        """The baked arrays, played here with numpy alone, are the living skin within the error that is printed."""
        take, body, pose = supple.Take(self.model, "swing"), self.model.body(), self.character.pose()
        done = []
        bake = supple.JointBake([take], tolerance=2e-4, watch=lambda stage, share: done.append((stage, share)))
        self.assertEqual(done[-1], ("keys", 1.0))
        self.assertRaises(supple.Canceled, supple.JointBake, [take], watch=lambda *_: False)
        self.assertRaises(supple.Canceled, supple.MorphBake, [take], watch=lambda _, share: share < 0.5)
        clip, mesh, skin = bake.clips[0], bake.mesh(0), self.character.skins[0]
        worst = 0.0
        for key in range(0, len(clip.times), 5):
            joints = pose.sample("swing", clip.times[key])
            matrices = np.zeros((len(joints), 4, 4))
            matrices[:, :3, :], matrices[:, 3, 3] = joints.transpose(0, 2, 1), 1
            binds = np.zeros((len(skin.joints), 4, 4))
            binds[:, :3, :], binds[:, 3, 3] = skin.inverse_bind.transpose(0, 2, 1), 1
            palette = [matrices[joint] @ binds[i] for i, joint in enumerate(skin.joints)]
            for i, helper in enumerate(bake.helpers):
                shift = np.eye(4)
                shift[:3, 3] = clip.translations[i, key]
                palette.append(matrices[helper.joint] @ shift @ binds[list(skin.joints).index(helper.joint)])
            blended = np.einsum("vk,vkij->vij", mesh.weights, np.array(palette)[mesh.joints])
            points = np.concatenate([self.character.meshes[0].positions, np.ones((120, 1))], 1)
            take.show(clip.times[key], body)
            worst = max(worst, np.abs(np.einsum("vij,vj->vi", blended, points)[:, :3] - body.skin()[0]).max())
        self.assertLessEqual(worst, clip.max_error + 1e-6)
        self.assertLessEqual(clip.max_error, 2e-4 * self.character.size * 1.01)

    def test_morph_bake_and_files(self):
        take = supple.Take(self.model, 0)
        bake = supple.MorphBake([take])
        group = bake.group(0)
        self.assertGreater(bake.target_count(group), 0)
        keys = bake.keys(group)
        self.assertEqual(keys.weights.shape, (len(keys.times), bake.target_count(group)))
        self.assertTrue(np.all((keys.weights >= 0) & (keys.weights <= 1)))
        self.assertLess(bake.errors[0].max_error, 5.1e-4 * self.character.size)
        with tempfile.TemporaryDirectory() as folder:
            source, out = os.path.join(folder, "a.glb"), os.path.join(folder, "b.glb")
            supple.Gltf.make(self.character).write(source)
            with supple.Gltf.open(source) as document:
                self.assertIsNone(document.rig())  # a file without a rig is no error
                model = supple.Model(document.character(), RIG)
                document.add_bake(supple.JointBake([supple.Take(model, 0)]), rig=RIG)
                document.write(out)
            with supple.Gltf.open(out) as document:
                self.assertGreater(document.character().joint_count, 3)
                self.assertEqual(document.rig()["elements"][0]["driver"], "root")
                self.assertTrue(document.remove_bake())
                self.assertEqual(document.character().joint_count, 3)
            cache = os.path.join(folder, "a.pc2")
            supple.write_point_cache(cache, lambda frame, out: out.fill(frame), 4, 10, 30)
            self.assertEqual(os.path.getsize(cache), 32 + 4 * 10 * 12)
            with self.assertRaises(ZeroDivisionError):
                supple.write_point_cache(cache, lambda frame, out: out.fill(1 / 0), 4, 10, 30)


class Pictures(unittest.TestCase):
    def test_arrays(self):
        character = supple.Character.creature("cat")
        try:
            stage = supple.Stage()
        except supple.SuppleError as error:
            self.skipTest(str(error))
        with stage, stage.figure(character) as figure:
            image = figure.draw(width=96, height=64)
            out = np.zeros((64, 96, 4), np.uint8)
            self.assertIs(figure.draw(character.rest_positions, width=96, height=64, out=out), out)
            self.assertEqual(image.shape, (64, 96, 4))
            self.assertGreater(len(np.unique(image.reshape(-1, 4), axis=0)), 100)
            self.assertLess(np.abs(image.astype(int) - out).mean(), 3)
        with tempfile.TemporaryDirectory() as folder:
            for name, write in (("a.png", supple.write_png), ("a.webp", supple.write_webp)):
                write(image, os.path.join(folder, name))
                self.assertGreater(os.path.getsize(os.path.join(folder, name)), 500)
            supple.write_movie([image, out], os.path.join(folder, "m.webp"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "m.webp")), 1000)


class BadInputs(unittest.TestCase):
    def test_errors_have_the_librarys_words(self):
        with self.assertRaisesRegex(supple.FileError, "nowhere.glb"):
            supple.Character.load("nowhere.glb")
        with self.assertRaisesRegex(supple.FormatError, "stranger"):
            supple.Character.from_bytes(b"no glTF at all", "stranger")
        with self.assertRaisesRegex(supple.NotFoundError, "mushroom"):
            supple.Character.creature("dragon")
        with self.assertRaisesRegex(supple.DataError, 'elements\\[0\\].frequncy: unknown; did you mean "frequency"'):
            supple.check_rig({"elements": [{"frequncy": 1}]})
        cat = supple.Character.creature("cat")
        with self.assertRaisesRegex(LookupError, r'elements\[0\].driver: no joint "hipz"'):
            supple.Model(cat, {"elements": [{"driver": "hipz"}]})
        with self.assertRaisesRegex(supple.NotFoundError, "swim"):
            cat.pose().sample("swim", 0)
        with self.assertRaisesRegex(supple.ArgumentError, "auto, on, off"):
            supple.Take(supple.Model(cat, {}), 0, loop="maybe")
        with self.assertRaisesRegex(supple.NotFoundError, "clip 99"):
            supple.Take(supple.Model(cat, {}), 99)

    def test_takes_and_numbers_that_do_not_fit(self):
        torso = supple.Character.creature("torso")
        model = supple.Model(torso, supple.propose_rig(torso))
        take, body = supple.Take(model), model.body()
        for bake in (supple.JointBake, supple.MorphBake):
            with self.assertRaisesRegex(supple.ArgumentError, "no take"):
                bake([])
            with self.assertRaisesRegex(TypeError, "a list of them"):
                bake(take)
        for mesh in (-1, len(torso.meshes)):
            with self.assertRaisesRegex(supple.NotFoundError, "no mesh"):
                supple.JointBake([take]).mesh(mesh)
        for wrong in ("x", None):
            with self.assertRaises((TypeError, ValueError)):
                body.set_field("elements", 0, "amount", wrong)
            with self.assertRaises((TypeError, ValueError)):
                torso.pose().sample(0, wrong)
        with self.assertRaisesRegex(TypeError, "integer"):
            body.set_field("elements", "belly", "amount", 1)
        body.set_field("elements", np.int64(0), "amount", np.float32(1.5))
        self.assertEqual(body.field("elements", np.int64(0), "amount"), 1.5)

    def test_arrays_that_do_not_fit(self):
        cat = supple.Character.creature("cat")
        body = supple.Model(cat, {}).body()
        joints = np.array(cat.rest_joints)
        for wrong in (joints[:-1], joints[:, :3], joints[0], "joints", None):
            with self.assertRaises((ValueError, TypeError)):
                body.step(wrong, 0.1)
        joints[0, 0, 0] = np.nan
        with self.assertRaisesRegex(supple.SuppleError, "refused"):
            body.step(joints, 0.1)
        with self.assertRaisesRegex(supple.SuppleError, "refused"):
            body.step(cat.rest_joints, float("nan"))
        body.step(cat.rest_joints, 0.1)
        good = np.empty((cat.vertex_count, 3), np.float32)
        for wrong in (good[:-1], good.astype(float), good[::-1], cat.rest_positions, good.T):
            with self.assertRaisesRegex(ValueError, "positions"):
                body.skin(wrong)
        parts = tube()
        parts["meshes"][0].weights = parts["meshes"][0].weights[:-1]
        with self.assertRaises(ValueError):
            supple.Character.create("tube", **parts)
        parts = tube()
        parts["joints"][0].parent = 2
        with self.assertRaisesRegex(supple.DataError, "tube"):
            supple.Character.create("tube", **parts)

    def test_a_watch_may_stop_or_raise(self):
        torso = supple.Character.creature("torso")
        rig = supple.add_fat({}, torso)
        with self.assertRaises(supple.Canceled):
            supple.Model(torso, rig, watch=lambda stage, done: False)
        with self.assertRaises(KeyError):
            supple.Model(torso, rig, watch=lambda stage, done: {}["no"])


class Lives(unittest.TestCase):
    def test_nothing_dangles(self):
        character = supple.Character.create("tube", **tube())
        positions, indices = character.rest_positions, character.meshes[0].indices
        model = supple.Model(character, RIG)
        body, pose, take = model.body(), character.pose(), supple.Take(model, 0)
        weights = model.elements[0].weights
        before = positions.copy(), indices.copy(), weights.copy()
        character.close()
        model.close()
        gc.collect()
        body.step(pose.sample(0, 0.5), 0.1)
        take.show(0.2, body)
        self.assertTrue(np.isfinite(body.skin()[0]).all())
        for one in (character, model):
            with self.assertRaisesRegex(ValueError, "closed"):
                one._pointer  # noqa: B018
        del body, pose, take, model, character
        gc.collect()
        blocks = [np.ones(n) for n in (10, 100, 1000, 10000) for _ in range(20)]
        self.assertTrue(all(map(np.array_equal, (positions, indices, weights), before)))
        del blocks

    def test_with(self):
        with supple.Character.create("tube", **tube()) as character, supple.Model(character, RIG) as model, model.body() as body:
            self.assertFalse(body.closed)
        self.assertTrue(body.closed and model.closed and character.closed)
        with self.assertRaisesRegex(ValueError, "Body is closed"):
            body.step(body._joints, 0)

    def test_nothing_leaks(self):
        def life():
            character = supple.Character.create("tube", **tube(60, 60))
            model = supple.Model(character, RIG)
            take, body = supple.Take(model, 0), model.body()
            take.show(0.3, body)
            body.skin()
            supple.JointBake([take], tolerance=1e-2).clips[0].translations.sum()
            supple.Editor(character, RIG).set("elements", 0, "boneThickness", 0.02)
            try:
                supple.Character.from_bytes(b"glTF" + bytes(100))
            except supple.SuppleError:
                pass

        def megabytes():
            gc.collect()
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * resource.getpagesize() / 1e6

        if not os.path.exists("/proc/self/statm"):
            self.skipTest("no /proc")
        for _ in range(8):
            life()
        start = megabytes()
        for _ in range(25):
            life()
        # one life holds several megabytes: a leak of any object would be far above this
        self.assertLess(megabytes() - start, 4.0)


if __name__ == "__main__":
    support.main()
