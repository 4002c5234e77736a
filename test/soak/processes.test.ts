import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { childrenOf, commandOf, isRunning } from '../support/children.ts'
import { until } from '../support/until.ts'
import { resourcesOf } from './processes.ts'

/** A process counts as a server if its command line ends with this path. */
const serverScript = resolve(import.meta.dir, '../../src/main.ts')

/** The shell starts the child before it becomes `tail`. */
const untilTail = (pid: number) =>
  until(() => commandOf(pid)[0] === 'tail', { what: 'the shell to become tail' })

test.skipIf(process.platform !== 'linux')('does not count a zombie', async () => {
  // `tail` inherits the shell's child and never reaps it.
  await using server = Bun.spawn(['sh', '-c', `sleep 0.01 & exec tail -f "${serverScript}"`], {
    stdout: 'ignore',
  })
  await until(() => childrenOf(server.pid).some((pid) => !isRunning(pid)), {
    what: 'the child to end',
  })
  await untilTail(server.pid)
  const held = resourcesOf(server.pid)
  expect([held.server.processes, held.engine.processes]).toEqual([1, 0])
})

test.skipIf(process.platform !== 'linux')(
  'does not count a child that is ending and has no command line',
  async () => {
    // `cat` without a name has an empty command line, like a process whose memory is already freed. It ends with its input.
    await using server = Bun.spawn(
      ['bash', '-c', `exec 3<&0; (exec -a '' cat <&3) & exec tail -f "${serverScript}"`],
      { stdin: 'pipe', stdout: 'ignore' },
    )
    const nameless = () => childrenOf(server.pid).filter((pid) => commandOf(pid).length === 0)
    await until(() => nameless().length > 0, { what: 'the child to start' })
    await untilTail(server.pid)
    expect(resourcesOf(server.pid).server.processes).toBe(1)
  },
)
