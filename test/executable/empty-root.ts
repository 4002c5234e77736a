// A root folder that has the executable, the C library, /proc, /dev and /tmp, and nothing else: no Node, no checkout, no
// shell. Its processes share the network and the process ids of the test, which sends them requests and kills them.

import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const AS_ROOT = ['unshare', '--user', '--map-root-user', '--mount']

const isPossible =
  process.platform === 'linux' && spawnSync(AS_ROOT[0]!, [...AS_ROOT.slice(1), 'true']).status === 0

if (!isPossible) console.warn('no user namespaces (unshare): the tests of the executable are skipped')

export const canHaveEmptyRoot = isPossible

/** The rest of the arguments: the files to mount, each with its place, then --, then the command. */
const SCRIPT = `set -e
root=$1; shift
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
while [ "$1" != -- ]; do mount --bind "$1" "$root$2"; shift 2; done
shift
exec chroot "$root" "$@"`

export type EmptyRoot = {
  /** runs the executable to its end */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** copies a file into /tmp and returns its path inside */
  put(file: string): Promise<string>
  /** the path outside */
  dataFolder: string
  remove(): Promise<void>
}

export async function openEmptyRoot(executable: string, env: Record<string, string>): Promise<EmptyRoot> {
  const root = await mkdtemp(join(tmpdir(), 'dictation-root-'))
  for (const folder of ['proc', 'dev', 'tmp']) await mkdir(join(root, folder))
  const mounts = [[executable, '/dictation'], ...librariesOf(executable).map((path) => [path, path])]
  for (const [, place] of mounts as [string, string][]) {
    await mkdir(dirname(join(root, place)), { recursive: true })
    await Bun.write(join(root, place), '')
  }
  return {
    dataFolder: join(root, 'tmp/home/.local/share/local-dictation'),
    async run(...args) {
      const command = [...AS_ROOT, 'sh', '-c', SCRIPT, 'sh', root, ...mounts.flat(), '--', '/dictation']
      const child = Bun.spawn([...command, ...args], {
        env: { PATH: process.env.PATH, HOME: '/tmp/home', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [stdout, stderr] = await Promise.all(
        [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
      )
      return { code: await child.exited, stdout: stdout!, stderr: stderr! }
    },
    async put(file) {
      const inside = join('/tmp', basename(file))
      await cp(file, join(root, inside))
      return inside
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

function librariesOf(executable: string): string[] {
  const listed = spawnSync('ldd', [executable], { encoding: 'utf8' }).stdout
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!)
}
