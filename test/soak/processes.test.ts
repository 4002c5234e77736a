// What is read of processes while they end.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { childrenOf, commandOf, isRunning } from '../support/children.ts'
import { until } from '../support/until.ts'
import { heldBy } from './processes.ts'

/** A process counts as a server if its command line ends with this path. */
const serverScript = resolve(import.meta.dir, '../../src/main.ts')

/** The shell starts the child before it becomes `tail`; until then its own command line says nothing, or something else. */
const untilTail = (pid: number) =>
  until(() => commandOf(pid)[0] === 'tail', { what: 'the shell to become tail' })

test.skipIf(process.platform !== 'linux')(
  'a child that has ended and was not collected yet counts for nothing',
  async () => {
    // `tail` knows nothing of the child that it took over from the shell, and never collects it.
    await using server = Bun.spawn(['sh', '-c', `sleep 0.01 & exec tail -f "${serverScript}"`], {
      stdout: 'ignore',
    })
    await until(() => childrenOf(server.pid).some((pid) => !isRunning(pid)), {
      what: 'the child to end',
    })
    await untilTail(server.pid)
    const held = heldBy(server.pid)
    expect([held.server.processes, held.engine.processes]).toEqual([1, 0])
  },
)

test.skipIf(process.platform !== 'linux')(
  'neither does one that is ending and tells no command',
  async () => {
    // Without a name `cat` tells none, as one does whose memory is gone already. It ends with its input.
    await using server = Bun.spawn(
      ['bash', '-c', `exec 3<&0; (exec -a '' cat <&3) & exec tail -f "${serverScript}"`],
      { stdin: 'pipe', stdout: 'ignore' },
    )
    const nameless = () => childrenOf(server.pid).filter((pid) => commandOf(pid).length === 0)
    await until(() => nameless().length > 0, { what: 'the child to begin' })
    await untilTail(server.pid)
    expect(heldBy(server.pid).server.processes).toBe(1)
  },
)
