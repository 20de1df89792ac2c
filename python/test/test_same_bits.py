"""The same calls in C and in Python give the same bits."""
import os
import tempfile
import unittest

import numpy as np

import support
import supple


class SameBits(unittest.TestCase):
    def compare(self, path):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "truth")
            support.truth(path, out)
            want = np.fromfile(out, np.uint32)
        character = supple.Character.load(path)
        model = supple.Model(character, supple.propose_rig(character))
        body, pose = model.body(), character.pose()
        world = np.eye(4)
        for frame in range(60):
            world[0, 3] = frame / 64
            body.step(pose.sample(0, frame / 64), 1 / 64, world)
        have = []
        for exact in (True, False):
            body.set_exact(exact)
            have += body.skin()
        have.append(body.helper_joints())
        take = supple.Take(model, 0)
        for time in (0.75, 0.5, 0.25):
            take.show(time, body)
            have += body.skin()
        bake = supple.JointBake([take])
        have.append(bake.clips[0].translations)
        have = np.concatenate([np.ascontiguousarray(one).reshape(-1).view(np.uint32) for one in have])
        self.assertEqual(len(have), len(want))
        self.assertEqual(int((have != want).sum()), 0)

    def test_fox(self):
        self.compare(support.fox())

    def test_heavy_man(self):
        self.compare(support.man())

    def test_matrices_of_both_shapes_and_threads_give_the_same(self):
        character = supple.Character.creature("cat")
        model = supple.Model(character, supple.propose_rig(character))
        pose, bodies = character.pose(), [model.body(), model.body()]
        for frame in range(20):
            joints = pose.sample("run", frame / 30)
            square = np.zeros((len(joints), 4, 4))
            square[:, :3, :], square[:, 3, 3] = joints.transpose(0, 2, 1), 1
            bodies[0].step(joints, 1 / 30)
            bodies[1].step(square, 1 / 30)
        self.assertTrue(np.array_equal(bodies[0].skin()[0], bodies[1].skin()[0]))
        takes = [supple.Take(model, "run")]
        with supple.Pool(3) as pool:
            many = supple.JointBake(takes, pool=pool).clips[0].translations
        self.assertTrue(np.array_equal(many, supple.JointBake(takes).clips[0].translations))


if __name__ == "__main__":
    support.main()
