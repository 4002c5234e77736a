import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Given } from '../command.ts'
import { failureOf } from '../connection/server-client.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { captureId } from './find.ts'

/** Programs that play a WAV file and end; the first installed one is used. */
const PLAYERS: readonly [program: string, ...options: string[]][] = [
  ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error'],
  ['mpv', '--no-video', '--really-quiet'],
  ['afplay'],
  ['pw-play'],
  ['paplay'],
  ['aplay', '--quiet'],
]

export async function playCommand({ server, report, env }: Tools, { args }: Given): Promise<number> {
  const [program, ...options] = installedPlayer(env.PATH)
  const id = await captureId(server, args[0]!)
  // Decoded by the server: no player reads every format that a recording may have.
  const response = await server.send('GET', `/captures/${id}/audio?format=wav`)
  if (!response.ok) throw await failureOf(response)
  const folder = await mkdtemp(join(tmpdir(), 'dictation-play-'))
  try {
    const file = join(folder, `${id}.wav`)
    await Bun.write(file, response)
    report.note(`Playing with ${program}; Ctrl-C stops it.`)
    return await played([program, ...options, file])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function installedPlayer(path: string | undefined): (typeof PLAYERS)[number] {
  for (const player of PLAYERS) {
    const found = Bun.which(player[0], path === undefined ? {} : { PATH: path })
    if (found !== null) return [found, ...player.slice(1)]
  }
  const names = PLAYERS.map(([name]) => name).join(', ')
  throw new CommandFailure(`No player was found: looked for ${names}.`, {
    code: 'no_player',
    hint: 'Install ffmpeg, which contains ffplay, or write the recording with "dictation captures export --audio".',
  })
}

async function played(command: string[]): Promise<number> {
  const child = Bun.spawn(command, { stdin: 'inherit', stdout: 'ignore', stderr: 'pipe' })
  const errors = new Response(child.stderr).text()
  let isStopped = false
  const stop = () => {
    isStopped = true
    child.kill()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const code = await child.exited
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (isStopped) return EXIT.interrupted
  if (code === 0) return EXIT.done
  const [reason] = (await errors).trim().split('\n').slice(-1)
  throw new CommandFailure(`The player ended with ${code}: ${reason || 'no reason reported'}.`, {
    code: 'player_failed',
  })
}
