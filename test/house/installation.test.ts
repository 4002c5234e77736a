// Checks package-lock.json against README and package.json; installs nothing.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { bundleDependencies, dependencies, devDependencies, overrides } from '../../package.json'
import lock from '../../package-lock.json'
import tools from '../../scripts/tools/package.json'
import { testAtLength } from '../support/at-length.ts'

const root = resolve(import.meta.dir, '../..')

type Locked = { dev?: boolean; optional?: boolean; engines?: { node?: string } | string[] }

const packages = Object.entries(lock.packages as Record<string, Locked>)
const readme = await Bun.file(resolve(root, 'README.md')).text()

test('no package requires a newer Node than README names', () => {
  const [, version] = /With Node (\d+\.\d+) or newer/.exec(readme) ?? []
  const requiring = packages.flatMap(([path, { engines }]) =>
    engines && 'node' in engines && engines.node ? [{ path, node: engines.node }] : [],
  )
  expect(requiring.length).toBeGreaterThan(50)
  expect(requiring.filter(({ node }) => !Bun.semver.satisfies(`${version}.0`, node))).toEqual([])
})

// npm installs peer dependencies of the server's packages, even optional ones.
// Bun's type declarations must be where TypeScript looks for them.
const ALSO_PEERS = ['@types/bun']

test('--omit=dev leaves out the development dependencies', () => {
  const locked = new Map(packages)
  const installed = Object.keys(devDependencies).filter((name) => !locked.get(`node_modules/${name}`)?.dev)
  expect(installed).toEqual(ALSO_PEERS)
})

test('the tools in scripts/tools/ are pinned and not part of npm install', () => {
  const wanted = Object.entries({ ...tools.dependencies, ...tools.optionalDependencies })
  expect(wanted.filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  expect(
    packages.map(([path]) => path).filter((path) => wanted.some(([name]) => path === `node_modules/${name}`)),
  ).toEqual([])
})

testAtLength(
  'the package of npm pack has the program and no tests, in at most 120 MB',
  async () => {
    const packed = Bun.spawn(['npm', 'pack', '--dry-run', '--json'], {
      cwd: root,
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const [{ size, files }] = (await new Response(packed.stdout).json()) as [
      { size: number; files: { path: string }[] },
    ]
    const paths = files.map(({ path }) => path)
    expect(size).toBeLessThan(120_000_000)
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['scripts/dictation.mjs', 'scripts/bun-program.mjs', 'src/main.ts', 'src/cli/main.ts'],
        ...['src/ui/built/index.html', 'src/models/ggml-base-q5_1.bin', 'wasm/whisper/kernels.wasm'],
        ...['db/migrations/meta/_journal.json', 'bunfig.toml', 'LICENSE'],
      ]),
    )
    expect(paths.filter((path) => /^(test|\.ci|docs|scripts\/(bench|tools))\b/.test(path))).toEqual([])
  },
  300_000,
)

test('a package whose dependencies are overridden is bundled: npm heeds overrides only of the project itself', () => {
  const overridden = Object.keys(overrides)
  const affected = Object.entries(dependencies).flatMap(([name]) => {
    const locked = (lock.packages as Record<string, { dependencies?: object }>)[`node_modules/${name}`]
    return Object.keys(locked?.dependencies ?? {}).some((one) => overridden.includes(one)) ? [name] : []
  })
  expect(affected).not.toEqual([])
  expect(bundleDependencies.toSorted()).toEqual(affected.toSorted())
})
