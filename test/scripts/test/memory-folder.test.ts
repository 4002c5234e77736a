// Whether test folders may be in memory, read from the mount table.

import { expect, test } from 'bun:test'
import { isRunnable } from '../../../scripts/test/memory-folder.ts'

const ROOT = '/dev/vda / ext4 rw,relatime 0 0\n'
const SHM = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev,size=24684096k 0 0\n'

test('test folders are in memory if a file system for it is mounted and allows execution', () => {
  expect(isRunnable(ROOT + SHM)).toBe(true)
  expect(isRunnable(ROOT)).toBe(false)
  expect(isRunnable(ROOT + SHM.replace('tmpfs rw', 'ext4 rw'))).toBe(false)
})

test('a noexec mount is respected, and the last of two mounts counts', () => {
  const forbidden = 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0\n'
  expect(isRunnable(ROOT + forbidden)).toBe(false)
  expect(isRunnable(ROOT + SHM + forbidden)).toBe(false)
  expect(isRunnable(ROOT + forbidden + SHM)).toBe(true)
})
