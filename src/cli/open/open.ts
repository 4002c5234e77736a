// dictation open: shows the page in the browser. Without arguments, `dictation` does the same and says what to type next.

import { spawn } from 'node:child_process'
import { tokenFile } from '../../config.ts'
import { EXIT } from '../terminal/exit.ts'
import type { Tools } from '../tools.ts'
import { validConfig } from '../valid-config.ts'
import { openerFor } from './opener.ts'

type Health = { access: { token_required: boolean } }

export async function openPage(tools: Tools): Promise<number> {
  const { url, opened } = await show(tools)
  tools.report.answer({ url, opened }, () => url)
  if (!opened) tools.report.note('No browser was found. Open this address in one.')
  return EXIT.done
}

export async function welcome(tools: Tools): Promise<number> {
  const { url, opened } = await show(tools)
  tools.report.answer(
    { url, opened },
    () => `${opened ? 'The page is open:' : 'Open this page in a browser:'} ${url}

What to type next:
  dictation transcribe memo.m4a     print the text of a recording
  dictation import interviews       store and transcribe a folder of recordings
  dictation doctor                  check this installation
  dictation --help                  everything else`,
  )
  return EXIT.done
}

async function show({ server, env, report }: Tools): Promise<{ url: string; opened: boolean }> {
  const { access } = await server.request<Health>('GET', '/health')
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
