// Programs of other users of this computer. Needs root and setpriv, so Linux only; prints once if unavailable, and
// tests and harnesses skip those parts.

/** Users that every Linux has. */
export const NOBODY = 65_534
export const DAEMON = 1

const missing = ['setpriv', 'curl', 'bash'].filter((program) => Bun.which(program) === null)

/** Why programs of other users cannot be started here; null: they can. */
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

/** The prefix that runs a command as this user, without our groups. */
export const asUser = (uid: number): string[] => ['setpriv', `--reuid=${uid}`, '--clear-groups', '--']

/** A program of that user that holds a connection until it is disposed. */
export function connectAs(uid: number, port: number): Disposable {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; exec sleep 60`
  const child = Bun.spawn([...asUser(uid), 'bash', '-c', script], { stdio: ['ignore', 'ignore', 'ignore'] })
  return { [Symbol.dispose]: () => child.kill('SIGKILL') }
}

/** Whether the server itself can run as that user; it cannot if the project is in a folder that only root can read. */
export const canServeAs = (uid: number): boolean =>
  whyNoOthers === null &&
  Bun.spawnSync([...asUser(uid), process.execPath, import.meta.filename], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore'],
  }).success

export type UserResponse = { status: number; text: string }

/** One request by a program of that user; status 0 if there was no response. */
export async function requestAs(uid: number, url: string, options: string[] = []): Promise<UserResponse> {
  const command = ['curl', '--silent', '--max-time', '20', '--write-out', '\n%{http_code}', ...options, url]
  const child = Bun.spawn([...asUser(uid), ...command], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = (await new Response(child.stdout).text()).split('\n')
  return { status: Number(lines.pop()), text: lines.join('\n') }
}
