import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type InstanceLock, takeInstanceLock } from '../../src/lib/lock.ts'
import { testAtLength } from '../support/at-length.ts'
import { until } from '../support/until.ts'

const fixture = resolve(import.meta.dir, 'lock-fixture.ts')

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'dictation-lock-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A process that tries to take the lock, prints the result, and holds the lock until it is killed. */
function contender(path: string) {
  const child = Bun.spawn([process.execPath, fixture, path], { stdout: 'pipe', stdin: 'pipe' })
  const output = child.stdout.getReader().read()
  return { child, answer: output.then(({ value }) => new TextDecoder().decode(value).trim()) }
}

testAtLength(
  'exactly one of many simultaneous starts takes the lock, and the others name its holder',
  async () => {
    await using at = await folder()
    const all = Array.from({ length: 20 }, () => contender(at.path))
    try {
      const answers = await Promise.all(all.map((one) => one.answer))
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1)
      expect(
        answers.filter((answer) => /is held by (another process|process \d+)/.test(answer)),
      ).toHaveLength(19)
    } finally {
      for (const { child } of all) child.kill('SIGKILL')
      await Promise.all(all.map((one) => one.child.exited))
    }
  },
)

test('SIGKILL of the holder frees the lock for a waiting and for a later process', async () => {
  await using at = await folder()
  const holder = contender(at.path)
  expect(await holder.answer).toBe('taken')
  const refused = await takeInstanceLock(at.path, { patienceMs: 0 })
  expect(refused).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining(`held by process ${holder.child.pid}`) },
  })
  const messages: string[] = []
  const waiting = Promise.withResolvers<void>()
  const waited = takeInstanceLock(at.path, {
    patienceMs: 60_000,
    onWait(message) {
      messages.push(message)
      waiting.resolve()
    },
  })
  await waiting.promise
  holder.child.kill('SIGKILL')
  const taken = await waited
  expect(taken.ok).toBe(true)
  expect(messages).toEqual([
    `The data folder ${at.path} is held by process ${holder.child.pid}, which does not answer. Waiting up to 60 s for it to end.`,
  ])
  if (taken.ok) taken.value.release()
  const later = await takeInstanceLock(at.path)
  expect(later.ok).toBe(true)
  if (later.ok) later.value.release()
})

test('fails at once if the holder answers, whatever its response', async () => {
  await using at = await folder()
  const first = await takeInstanceLock(at.path)
  if (!first.ok) throw new Error(first.failure.message)
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('go away', { status: 403 }),
  })
  await first.value.announce(`http://127.0.0.1:${server.port}`)
  const onWait = () => {
    throw new Error('must not wait')
  }
  const second = await takeInstanceLock(at.path, { onWait, patienceMs: 600_000 })
  expect(second).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining(`at http://127.0.0.1:${server.port}. Stop it first`) },
  })
  first.value.release()
})

test('reports the URL that the holder announced', async () => {
  await using at = await folder()
  const first = await takeInstanceLock(at.path)
  if (!first.ok) throw new Error(first.failure.message)
  await first.value.announce('http://127.0.0.1:17493')
  const second = await takeInstanceLock(at.path, { patienceMs: 0 })
  expect(second).toMatchObject({
    failure: { message: expect.stringContaining(`process ${process.pid}, at http://127.0.0.1:17493`) },
  })
  first.value.release()
  const third = await takeInstanceLock(at.path)
  expect(third.ok).toBe(true)
  if (third.ok) third.value.release()
})

describe('if the lock file of a running holder is removed', () => {
  const files = ['instance.lock', 'instance.json']
  const soon = { timeoutMs: 60_000 }
  const remove = (folder: string) => Promise.all(files.map((name) => rm(join(folder, name))))

  test.skipIf(process.platform === 'win32')('the folder lock keeps other processes out', async () => {
    await using at = await folder()
    const holder = contender(at.path)
    expect(await holder.answer).toBe('taken')
    await remove(at.path)
    expect(await takeInstanceLock(at.path, { patienceMs: 0 })).toMatchObject({ ok: false })
    holder.child.kill('SIGKILL')
    const after = await takeInstanceLock(at.path)
    expect(after.ok).toBe(true)
    if (after.ok) after.value.release()
  })

  test('without a folder lock, a holder that answers at its URL keeps other processes out', async () => {
    await using at = await folder()
    const holder = contender(at.path)
    expect(await holder.answer).toBe('taken')
    await rm(join(at.path, 'instance.lock'))
    using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('here') })
    const url = `http://127.0.0.1:${server.port}`
    const announced = { pid: holder.child.pid, url }
    await writeFile(join(at.path, 'instance.json'), JSON.stringify(announced))
    const fileAlone = { locksFolder: false, patienceMs: 0 }
    expect(await takeInstanceLock(at.path, fileAlone)).toMatchObject({
      failure: { message: expect.stringContaining(`at ${url}. Stop it first`) },
    })
    holder.child.kill('SIGKILL')
    await holder.child.exited
    // Another program may have the port by now.
    const after = await takeInstanceLock(at.path, fileAlone)
    expect(after.ok).toBe(true)
    if (after.ok) after.value.release()
  })

  async function guarded(path: string) {
    const lock = await takeInstanceLock(path, { locksFolder: false })
    if (!lock.ok) throw new Error(lock.failure.message)
    const events: string[] = []
    lock.value.guard({
      onRestored: () => void events.push('restored'),
      onLost: () => void events.push('lost'),
    })
    return { lock: lock.value satisfies InstanceLock, events }
  }

  test('the holder restores the file and keeps other processes out again', async () => {
    await using at = await folder()
    const { lock, events } = await guarded(at.path)
    await lock.announce('http://127.0.0.1:17493')
    await remove(at.path)
    await until(() => events.length > 0 && files.every((name) => existsSync(join(at.path, name))), soon)
    expect(events).toEqual(['restored'])
    expect(await takeInstanceLock(at.path, { locksFolder: false, patienceMs: 0 })).toMatchObject({
      failure: { message: expect.stringContaining('at http://127.0.0.1:17493') },
    })
    lock.release()
    const after = await takeInstanceLock(at.path)
    expect(after.ok).toBe(true)
    if (after.ok) after.value.release()
  })

  test('the holder detects that another process took the lock', async () => {
    await using at = await folder()
    const { lock, events } = await guarded(at.path)
    await remove(at.path)
    const other = await takeInstanceLock(at.path, { locksFolder: false, patienceMs: 0 })
    expect(other.ok).toBe(true)
    await until(() => events.length > 0, soon)
    expect(events).toEqual(['lost'])
    lock.release()
    if (other.ok) other.value.release()
  })
})

test.skipIf(process.platform === 'win32')(
  "removes other users' access to the folder, unless the folder is shared (sticky)",
  async () => {
    await using at = await folder()
    for (const [before, after] of [
      [0o777, 0o700],
      [0o755, 0o700],
      [0o1777, 0o1777],
    ] as const) {
      await chmod(at.path, before)
      const lock = await takeInstanceLock(at.path)
      if (!lock.ok) throw new Error(lock.failure.message)
      lock.value.release()
      expect((await stat(at.path)).mode & 0o7777).toBe(after)
    }
  },
)
