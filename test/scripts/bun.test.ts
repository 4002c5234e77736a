// The launcher behind `npm start` and `npm test`, in a project folder made for each test. Needs Node on the PATH, as
// npm does.

import { expect, test } from 'bun:test'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const scripts = resolve(import.meta.dir, '../../scripts')

async function projectFolder() {
  const root = await mkdtemp(join(tmpdir(), 'a launcher with spaces '))
  await mkdir(join(root, 'scripts'))
  for (const name of ['bun.mjs', 'bun-program.mjs'])
    await copyFile(join(scripts, name), join(root, 'scripts', name))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

const launch = (root: string, ...args: string[]) => {
  const child = Bun.spawnSync(['node', join(root, 'scripts', 'bun.mjs'), ...args])
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() }
}

const binaryNamed = async (root: string, ...path: string[]) => {
  const file = join(root, 'node_modules', ...path)
  await mkdir(resolve(file, '..'), { recursive: true })
  await symlink(process.execPath, file)
}

test('runs the binary that the install script put in place', async () => {
  await using project = await projectFolder()
  await binaryNamed(project.root, 'bun', 'bin', 'bun.exe')
  expect(launch(project.root, '--version')).toMatchObject({ code: 0, out: `${Bun.version}\n` })
})

test('finds the binary of the platform package if install scripts were blocked', async () => {
  await using project = await projectFolder()
  await mkdir(join(project.root, 'node_modules', 'bun', 'bin'), { recursive: true })
  await writeFile(join(project.root, 'node_modules', 'bun', 'bin', 'bun.exe'), 'a stub')
  await binaryNamed(project.root, '@oven', 'bun-some-platform', 'bin', 'bun')
  expect(launch(project.root, '--version')).toMatchObject({ code: 0, out: `${Bun.version}\n` })
})

test('the command runs in the folder in which it is typed, with the Bun beside its package', async () => {
  await using project = await projectFolder()
  const [modules, folder] = [join(project.root, 'node_modules'), join(project.root, 'elsewhere')]
  await binaryNamed(project.root, 'bun', 'bin', 'bun.exe')
  const installed = join(modules, 'local-dictation')
  for (const path of ['scripts', 'src/cli']) await mkdir(join(installed, path), { recursive: true })
  for (const name of ['dictation.mjs', 'bun-program.mjs'])
    await copyFile(join(scripts, name), join(installed, 'scripts', name))
  await writeFile(join(installed, 'bunfig.toml'), '')
  await writeFile(
    join(installed, 'src/cli/main.ts'),
    'console.log(JSON.stringify([process.cwd(), process.argv.slice(2), process.env.PORT]))',
  )
  await mkdir(folder)
  await writeFile(join(folder, '.env'), 'PORT=1')
  await mkdir(join(modules, '.bin'))
  await symlink('../local-dictation/scripts/dictation.mjs', join(modules, '.bin/dictation'))
  const run = (env: Record<string, string>, cwd = folder) =>
    JSON.parse(
      Bun.spawnSync(['node', join(modules, '.bin/dictation'), 'import', 'x'], {
        cwd,
        env: { PATH: process.env.PATH, ...env },
      }).stdout.toString(),
    )
  expect(run({})).toEqual([folder, ['import', 'x'], null])
  // npm runs the scripts of a package in its own folder; all other commands stay where they are.
  const typedIn = { INIT_CWD: project.root }
  const ofPackage = { ...typedIn, npm_package_json: join(installed, 'package.json') }
  expect(run({ ...typedIn, npm_package_json: join(folder, 'package.json') })[0]).toBe(folder)
  expect(run(ofPackage)[0]).toBe(folder)
  expect(run(ofPackage, installed)[0]).toBe(project.root)
})

test('passes the exit code on', async () => {
  await using project = await projectFolder()
  await binaryNamed(project.root, 'bun', 'bin', 'bun.exe')
  expect(launch(project.root, '-e', 'process.exit(7)').code).toBe(7)
})

test('says what to do if no binary is found', async () => {
  await using project = await projectFolder()
  const { code, err } = launch(project.root, '--version')
  expect(code).toBe(1)
  expect(err).toContain('npm install')
})

test('npm start replaces its shell with the server, because the shell passes no signal on', async () => {
  await using project = await projectFolder()
  await binaryNamed(project.root, 'bun', 'bin', 'bun.exe')
  await mkdir(join(project.root, 'src'))
  await writeFile(
    join(project.root, 'src', 'main.ts'),
    "process.on('SIGTERM', () => process.exit(7))\nconsole.log('ready')\nsetInterval(() => {}, 1000)\n",
  )
  const { scripts } = await Bun.file(resolve(import.meta.dir, '../../package.json')).json()
  // As npm runs a script: in a shell, to which it passes SIGTERM.
  const shell = Bun.spawn(['sh', '-c', scripts.start], { cwd: project.root, stdin: 'ignore', stdout: 'pipe' })
  const reader = shell.stdout.getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('ready\n')
  shell.kill('SIGTERM')
  expect(await shell.exited).toBe(7)
})
