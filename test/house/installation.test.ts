// Checks package-lock.json against README and package.json; installs nothing.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { devDependencies } from '../../package.json'
import lock from '../../package-lock.json'
import tools from '../../scripts/tools/package.json'

type Locked = { dev?: boolean; optional?: boolean; engines?: { node?: string } | string[] }

const packages = Object.entries(lock.packages as Record<string, Locked>)
const readme = await Bun.file(resolve(import.meta.dir, '../../README.md')).text()

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
