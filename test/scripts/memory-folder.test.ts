// Where the folders of tests may be in memory: read from what is mounted.

import { expect, test } from 'bun:test'
import { isRunnable } from '../../scripts/test/memory-folder.ts'

const ROOT = '/dev/vda / ext4 rw,relatime 0 0\n'
const SHM = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev,size=24684096k 0 0\n'

test('tests have their folders in memory where that is mounted and programs may be run in it', () => {
  expect(isRunnable(ROOT + SHM)).toBe(true)
  expect(isRunnable(ROOT)).toBe(false)
  expect(isRunnable(ROOT + SHM.replace('tmpfs rw', 'ext4 rw'))).toBe(false)
})

test('a container that lets nothing run there is heeded, and so is the last of two that are mounted', () => {
  const forbidden = 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0\n'
  expect(isRunnable(ROOT + forbidden)).toBe(false)
  expect(isRunnable(ROOT + SHM + forbidden)).toBe(false)
  expect(isRunnable(ROOT + forbidden + SHM)).toBe(true)
})
