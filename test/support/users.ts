// Programs of other users of this computer: only root may start them, and only Linux has setpriv.
// Says once when there can be none; tests and harnesses then leave them out.

/** Users that every Linux has. */
export const NOBODY = 65_534
export const DAEMON = 1

const missing = ['setpriv', 'curl', 'bash'].filter((program) => Bun.which(program) === null)

/** Why no program of another user can be started here; null: they can. */
export const whyNoOthers =
  process.platform !== 'linux'
    ? 'that needs Linux'
    : process.getuid?.() !== 0
      ? 'that needs root'
      : missing.length > 0
        ? `that needs ${missing.join(' and ')}`
        : null

if (whyNoOthers !== null)
  console.warn(`no programs of other users (${whyNoOthers}): the tests with them are skipped`)

/** What stands before a command that runs as this user, and in none of our groups. */
export const asUser = (uid: number): string[] => ['setpriv', `--reuid=${uid}`, '--clear-groups', '--']

/** A program of that user which holds a connection until it is disposed of. */
export function connectAs(uid: number, port: number): Disposable {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; exec sleep 60`
  const child = Bun.spawn([...asUser(uid), 'bash', '-c', script], { stdio: ['ignore', 'ignore', 'ignore'] })
  return { [Symbol.dispose]: () => child.kill('SIGKILL') }
}

/** Whether the server itself can run as that user: where the project lies in a folder that is root's alone, it cannot. */
export const canServeAs = (uid: number): boolean =>
  whyNoOthers === null &&
  Bun.spawnSync([...asUser(uid), process.execPath, import.meta.filename], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore'],
  }).success

export type Asked = { status: number; text: string }

/** One request by a program of that user; status 0 where nothing came back. */
export async function askAs(uid: number, url: string, options: string[] = []): Promise<Asked> {
  const command = ['curl', '--silent', '--max-time', '20', '--write-out', '\n%{http_code}', ...options, url]
  const child = Bun.spawn([...asUser(uid), ...command], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = (await new Response(child.stdout).text()).split('\n')
  return { status: Number(lines.pop()), text: lines.join('\n') }
}
