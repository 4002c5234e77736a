// The service definitions: systemd's is checked by systemd, the others for their quoting.

import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { launchAgent, systemdUnit, windowsTask } from '../../../src/cli/server/service-files.ts'

const parts = {
  command: [process.execPath, '/home/a b/100% <"own">/$HOME/main.ts'],
  settings: [['DICTATION_DATA_DIR', '/home/a b/"data" & 5 %h']] as [string, string][],
  log: '/home/a b/server.log',
  stopSeconds: 60,
}

test.skipIf(Bun.which('systemd-analyze') === null)('systemd accepts its unit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-unit-'))
  const { path, text } = systemdUnit(parts, {})
  expect(path).toEndWith('/systemd/user/local-dictation.service')
  const file = join(folder, basename(path))
  await writeFile(file, text)
  const checked = Bun.spawnSync(['systemd-analyze', 'verify', '--user', file], {
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
  })
  await rm(folder, { recursive: true })
  expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ''])
})

test.skipIf(process.platform !== 'linux')('the unit begins a new log when the old one is large', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-log '))
  const log = join(folder, 'server.log')
  const line = systemdUnit({ ...parts, log }, {}).text.match(/^ExecStartPre=-(.*)$/m)![1]!
  for (const [bytes, files] of [
    [1000, ['server.log']],
    [25_000_000, ['server.log.1']],
  ] as const) {
    await writeFile(log, '')
    await truncate(log, bytes)
    expect(Bun.spawnSync(['sh', '-c', line]).exitCode).toBe(0)
    expect(await readdir(folder)).toEqual([...files])
  }
  await rm(folder, { recursive: true })
})

test('special characters are quoted for each service manager', () => {
  const { text } = systemdUnit(parts, {})
  expect(text).toContain('ExecStart=')
  expect(text).toContain(' "/home/a b/100%% <\\"own\\">/$$HOME/main.ts"\n')
  expect(text).toContain('Environment="DICTATION_DATA_DIR=/home/a b/\\"data\\" & 5 %%h"\n')
  expect(text).toContain('\nTimeoutStopSec=90\n')
  const agent = launchAgent(parts, 501).text
  expect(agent).toContain('<string>/home/a b/100% &lt;&quot;own&quot;&gt;/$HOME/main.ts</string>')
  expect(agent).toContain('<string>/home/a b/&quot;data&quot; &amp; 5 %h</string>')
  const task = windowsTask(
    { ...parts, command: ['C:\\bun.exe', 'C:\\A B\\main.ts', 'server', 'start'] },
    'C:\\data',
  )
  expect(task.text).toContain(
    '<Command>C:\\bun.exe</Command><Arguments>&quot;C:\\A B\\main.ts&quot; server start</Arguments>',
  )
})
