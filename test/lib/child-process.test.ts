import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuTimeMs, endChild, isAlive, ownExecutable, sendTo } from '../../src/lib/child-process.ts'
import { until } from '../support/until.ts'

const BURN = 'for (;;) {}'
const PATIENCE = { timeoutMs: 60_000 }

/** A Bun process that runs a script. */
function run(script: string) {
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore' })
  const end = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  return { pid: child.pid, [Symbol.asyncDispose]: end }
}

/** CPU time of all threads of the process, in hundredths of a second, as the kernel counts it. */
const ticksOfAllThreads = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('reports the CPU time of a process', async () => {
  await using child = run(BURN)
  await until(() => cpuTimeMs(child)! > 500, PATIENCE)
})

onLinux('does not count the CPU time of other threads', async () => {
  const worker = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(BURN)}])))`
  await using child = run(`${worker}; setInterval(() => {}, 1000)`)
  await until(() => ticksOfAllThreads(child.pid) > 300, PATIENCE)
  expect(cpuTimeMs(child)).toBeLessThan(2000)
})

test('sendTo returns false if the channel of a living process is closed', async () => {
  const child = Bun.spawn([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    ipc: () => {},
  })
  expect(sendTo(child, { kind: 'stop' })).toBe(true)
  child.disconnect()
  await until(() => !sendTo(child, { kind: 'stop' }), PATIENCE)
  expect(isAlive(child)).toBe(true)
  await endChild(child)
  expect(sendTo(child, { kind: 'stop' })).toBe(false)
})

test('an executable that was replaced is not started as a child, and the error says what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dictation-replaced-'))
  const path = join(folder, 'dictation')
  writeFileSync(path, 'version 1')
  // macOS and Windows have no name for the running file.
  const executable = ownExecutable(path, join(folder, 'no such file'))
  expect(executable()).toBe(path)
  writeFileSync(join(folder, 'update'), 'version 2')
  renameSync(join(folder, 'update'), path)
  expect(executable).toThrow(`${path} was replaced while the server runs. Restart the server`)
  rmSync(path)
  expect(executable).toThrow('was replaced')
  rmSync(folder, { recursive: true })
})

onLinux('the running file has a name that outlives an update', () => {
  expect(ownExecutable('/nowhere')()).toBe('/proc/self/exe')
})
