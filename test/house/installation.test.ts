// What npm makes of this project: the Node that README names, and what an installation without tests brings.
// Installs nothing: package-lock.json says it.

import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { devDependencies } from '../../package.json'
import lock from '../../package-lock.json'
import tools from '../../scripts/tools/package.json'

type Locked = { dev?: boolean; optional?: boolean; engines?: { node?: string } | string[] }

const packages = Object.entries(lock.packages as Record<string, Locked>)
const readme = await Bun.file(resolve(import.meta.dir, '../../README.md')).text()

test('npm takes the Node that README names without a warning', () => {
  const [, version] = /With Node (\d+\.\d+) or newer/.exec(readme) ?? []
  const asking = packages.flatMap(([path, { engines }]) =>
    engines && 'node' in engines && engines.node ? [{ path, node: engines.node }] : [],
  )
  expect(asking.length).toBeGreaterThan(50)
  expect(asking.filter(({ node }) => !Bun.semver.satisfies(`${version}.0`, node))).toEqual([])
})

// npm keeps what a package of the server names as a peer, even as one that it can do without.
// The declarations of Bun have to lie where TypeScript looks, under their own name.
const PEERS_TOO = ['@types/bun']

test('what only tests and development need stays away with --omit=dev', () => {
  const locked = new Map(packages)
  const staying = Object.keys(devDependencies).filter((name) => !locked.get(`node_modules/${name}`)?.dev)
  expect(staying).toEqual(PEERS_TOO)
})

test('what only maintainers and single tests need is pinned in scripts/tools/ and does not come with npm install', () => {
  const wanted = Object.entries({ ...tools.dependencies, ...tools.optionalDependencies })
  expect(wanted.filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  expect(
    packages.map(([path]) => path).filter((path) => wanted.some(([name]) => path === `node_modules/${name}`)),
  ).toEqual([])
})
