// dictation verify and dictation rebuild on a used data folder: their output and exit codes.

import { expect } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { takeInstanceLock } from '../../../src/lib/lock.ts'
import { finishedCapture, openArchive } from '../../support/archive.ts'
import { testAtLength } from '../../support/at-length.ts'
import { damage, databaseFolder, relationsOf } from '../../support/damage.ts'
import { createTestFolder, databaseKind } from '../../support/database.ts'

const embedded = testAtLength.skipIf(databaseKind === 'external')

async function run(script: 'verify' | 'rebuild', dataFolder: string) {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, '../../../src/cli/main.ts'), script], {
    ...{ env: { ...process.env, DICTATION_DATA_DIR: dataFolder }, stdout: 'pipe', stderr: 'pipe' },
  })
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  return { code: await child.exited, text: (await Promise.all(texts)).join('') }
}

embedded(
  'verify reports differences, and rebuild repairs those of the database',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder
    const archive = await openArchive({ folder })
    const [one, other] = [await finishedCapture(archive), await finishedCapture(archive)]
    await archive.stop()
    expect(await run('verify', dataFolder)).toEqual({
      code: 0,
      text: expect.stringContaining('2 captures'),
    })

    await writeFile(join(dataFolder, one.audioPath), 'something else')
    const database = await folder.open()
    const relations = await relationsOf(database)
    await database.run((orm) => orm.execute(`delete from captures where id = '${other.id}'`))
    await database.close()
    const differences = await run('verify', dataFolder)
    expect(differences.code).toBe(1)
    expect(differences.text).toContain(`capture ${one.id}: its audio is not what was received`)
    expect(differences.text).toContain(`capture ${other.id}: the database does not have it`)
    expect(differences.text).toContain('dictation rebuild')

    const captures = relations.find(({ name }) => name === 'public.captures')!
    await damage(join(databaseFolder(dataFolder), captures.path), 'flip')
    expect(await run('verify', dataFolder)).toEqual({ code: 1, text: expect.stringContaining('damaged') })
    const rebuilt = await run('rebuild', dataFolder)
    expect(rebuilt).toEqual({ code: 0, text: expect.stringContaining('2 captures') })
    expect(rebuilt.text).toMatch(/The old one is kept as \/.*postgres-\d+\.unusable-\d{4}-.*Z\.$/m)
    expect((await readdir(dataFolder)).filter((name) => name.includes('unusable'))).toHaveLength(1)
    const after = await run('verify', dataFolder)
    expect(after).toEqual({ code: 1, text: expect.stringContaining('1 difference.') })
  },
  240_000,
)

embedded(
  'refuses a data folder that a server is using',
  async () => {
    await using folder = await createTestFolder()
    const lock = await takeInstanceLock(folder.dataFolder)
    if (!lock.ok) throw new Error(lock.failure.message)
    // A server that responds is not waited for.
    using holder = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    await lock.value.announce(`http://127.0.0.1:${holder.port}`)
    for (const script of ['verify', 'rebuild'] as const)
      expect(await run(script, folder.dataFolder)).toEqual({
        code: 2,
        text: expect.stringContaining('Stop it first'),
      })
    lock.value.release()
  },
  120_000,
)

embedded(
  'refuses a folder that is not a data folder, and creates nothing there',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dictation-no-data-'))
    await mkdir(join(folder, 'games/captures'), { recursive: true })
    await writeFile(join(folder, 'games/captures/clip.mp4'), 'of a game')
    for (const script of ['verify', 'rebuild'] as const)
      for (const name of ['typo', '.', 'games', 'games/captures/clip.mp4']) {
        const { code, text } = await run(script, join(folder, name))
        expect([code, text]).toEqual([2, expect.stringContaining('DICTATION_DATA_DIR')])
        expect(text).toMatch(/There is no folder|is not a Local Dictation data folder/)
      }
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
      'games',
      'games/captures',
      'games/captures/clip.mp4',
    ])
    await rm(folder, { recursive: true })
  },
  120_000,
)
