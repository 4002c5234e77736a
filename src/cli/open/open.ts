// dictation open: shows the page in the browser. Without arguments, `dictation` does the same and says what to type next.

import { spawn } from 'node:child_process'
import { tokenFile } from '../../config.ts'
import type { WireHealth } from '../../http/service/health.ts'
import { typedCommand } from '../server/server-command.ts'
import { EXIT } from '../terminal/exit.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import { openerFor } from './opener.ts'

export async function openPage(tools: Tools): Promise<number> {
  const { url, opened } = await show(tools)
  tools.report.answer({ url, opened }, () => url)
  if (!opened) tools.report.note('No browser was found. Open this address in one.')
  return EXIT.done
}

const NEXT = [
  ['transcribe memo.m4a', 'print the text of a recording'],
  ['import interviews', 'store and transcribe a folder of recordings'],
  ['doctor', 'check this installation'],
  ['--help', 'everything else'],
] as const

export async function welcome(tools: Tools): Promise<number> {
  const { url, opened } = await show(tools)
  const width = `${typedCommand()} ${NEXT[0][0]}`.length
  tools.report.answer(
    { url, opened },
    () => `${opened ? 'The page is open:' : 'Open this page in a browser:'} ${url}

What to type next:
${NEXT.map(([args, what]) => `  ${`${typedCommand()} ${args}`.padEnd(width)}  ${what}`).join('\n')}`,
  )
  return EXIT.done
}

async function show({ server, env, report }: Tools): Promise<{ url: string; opened: boolean }> {
  const { access } = await server.request<WireHealth>('GET', '/health')
  const url = new URL('/', await server.address()).href
  if (access.token_required)
    report.note(
      `The page asks for the token, which is in DICTATION_TOKEN or ${tokenFile(validConfig(env).dataFolder)}.`,
    )
  const opener = openerFor(process.platform, env)
  return { url, opened: opener !== null && (await starts([...opener, url])) }
}

/** Whether the program could be started; it may live as long as the browser. */
const starts = ([program, ...args]: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program!, args, { detached: true, stdio: 'ignore' })
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
    child.unref()
  })
