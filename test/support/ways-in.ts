// The two ways in which a phone reaches the server, with the real programs: an SSH tunnel, and nginx with TLS. Both are
// configured as README says.

import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

const found = (name: string): string | null =>
  [Bun.which(name), `/usr/sbin/${name}`].find((path) => path !== null && Bun.file(path).size > 0) ?? null

const programs = {
  sshd: found('sshd'),
  ssh: found('ssh'),
  keygen: found('ssh-keygen'),
  nginx: found('nginx'),
  openssl: found('openssl'),
}

/** Debian's, for sshd of root; the service creates it. */
const isSshdReady = process.getuid?.() !== 0 || existsSync('/run/sshd')
export const hasSsh =
  isSshdReady && programs.sshd !== null && programs.ssh !== null && programs.keygen !== null
export const hasNginx = programs.nginx !== null && programs.openssl !== null
if (!hasSsh || !hasNginx) console.log('skipped: sshd, ssh or nginx is not here')

export type WayIn = { port: number; [Symbol.asyncDispose](): Promise<void> }

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port!
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' })
  const errors = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${command[0]}: ${errors}`)
}

const accepts = (port: number) => async (): Promise<boolean> => {
  const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(() => null)
  socket?.end()
  return socket !== null
}

/** Programs that end in the opposite order, and a folder for their files. */
async function withPrograms(start: (folder: string, launch: (command: string[]) => void) => Promise<number>) {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-way-in-'))
  // nginx's workers, which run as another user, need it.
  await chmod(folder, 0o755)
  const children: Bun.Subprocess[] = []
  const dispose = async () => {
    for (const child of children.toReversed()) {
      child.kill()
      await child.exited
    }
    await rm(folder, { recursive: true, force: true })
  }
  const launch = (command: string[]) =>
    void children.push(Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }))
  try {
    const port = await start(folder, launch)
    await until(accepts(port), { what: 'the way in', timeoutMs: 150_000 })
    return { port, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/**
 * `ssh -D`: this computer cannot also be the phone with the server's own port, as `ssh -L` needs. A browser that uses the
 * port as a SOCKS proxy sends the same requests to the same address, which sshd forwards in the same way.
 */
export const openTunnel = (): Promise<WayIn> =>
  withPrograms(async (folder, launch) => {
    const [sshPort, port] = [await freePort(), await freePort()]
    const [hostKey, key] = [join(folder, 'host'), join(folder, 'key')]
    for (const file of [hostKey, key])
      await run([programs.keygen!, '-q', '-t', 'ed25519', '-N', '', '-f', file])
    await Bun.write(join(folder, 'authorized'), await readFile(`${key}.pub`))
    await Bun.write(
      join(folder, 'sshd_config'),
      `Port ${sshPort}
ListenAddress 127.0.0.1
HostKey ${hostKey}
AuthorizedKeysFile ${join(folder, 'authorized')}
PidFile none
StrictModes no
PermitRootLogin yes
UsePAM no
`,
    )
    launch([programs.sshd!, '-D', '-f', join(folder, 'sshd_config')])
    await until(accepts(sshPort), { what: 'sshd', timeoutMs: 150_000 })
    launch([
      ...[programs.ssh!, '-N', '-p', String(sshPort), '-i', key],
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-F', 'none'],
      ...['-D', `127.0.0.1:${port}`, '127.0.0.1'],
    ])
    return port
  })

/** nginx with TLS and a self-signed certificate. */
export const openProxy = (port: number, { name, serverPort }: { name: string; serverPort: number }) =>
  withPrograms(async (folder, launch) => {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    await run([
      ...[programs.openssl!, 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'],
      ...[
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-keyout',
        key,
        '-out',
        certificate,
      ],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((part) => `${part}_temp_path ${join(folder, part)};`)
      .join(' ')
    await Bun.write(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'errors')}; events {}
http {
  access_log off; ${temporary}
  server {
    listen 127.0.0.1:${port} ssl;
    server_name ${name};
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    client_max_body_size 0;
    location / {
      proxy_pass http://127.0.0.1:${serverPort};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`,
    )
    launch([programs.nginx!, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')])
    return port
  })

export { freePort }
