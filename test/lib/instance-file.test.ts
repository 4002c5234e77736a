// The state of the process that holds a data folder.

import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { processState } from '../../src/lib/instance-file.ts'
import { until } from '../support/until.ts'

test.skipIf(process.platform !== 'linux')(
  'a process that its parent does not collect has ended',
  async () => {
    // `sleep` replaces the shell, and does not know of its child.
    const parent = Bun.spawn(['sh', '-c', 'sleep 600 & echo $!; exec sleep 600'], { stdout: 'pipe' })
    try {
      const { value } = await parent.stdout.getReader().read()
      const pid = Number(new TextDecoder().decode(value))
      // The shell itself would collect it.
      await until(async () => (await readFile(`/proc/${parent.pid}/comm`, 'utf8')) === 'sleep\n')
      expect(processState(pid)).toBe('own')
      process.kill(pid, 'SIGKILL')
      await until(() => processState(pid) === 'ended')
      expect(() => process.kill(pid, 0)).not.toThrow()
    } finally {
      parent.kill('SIGKILL')
    }
  },
)
