// Replaces the page while the server requires its token.

import { useState } from 'preact/hooks'
import { Mark } from './parts/icons.tsx'
import { RecordingNow } from './record/recording-now.tsx'
import { beginSession } from './server/session.ts'
import type { ProblemBody, SessionAnswer } from './server/wire.ts'
import { strings } from './strings/strings.ts'

export const SignIn = () => {
  const { signIn: words, shell } = strings.value
  const [fault, setFault] = useState<string | null>(null)
  const send = async (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    setFault(null)
    setFault(await exchange(String(new FormData(form).get('token'))))
    form.querySelector('input')?.select()
  }
  return (
    <main id="view" class="stack signin">
      <Mark />
      <h1>{shell.title}</h1>
      <RecordingNow />
      <p>{words.help}</p>
      <form class="field" onSubmit={(event) => void send(event)}>
        <label for="token">{words.token}</label>
        <div class="row">
          <input id="token" type="password" name="token" autocomplete="current-password" required autofocus />
          <button type="submit" class="primary">
            {words.send}
          </button>
        </div>
      </form>
      <p class="fault" role="alert">
        {fault}
      </p>
    </main>
  )
}

/** Why the token was rejected; null: signed in. */
async function exchange(token: string): Promise<string | null> {
  const { signIn: words, shell } = strings.value
  const headers = { 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify({ token }) }
  const response = await fetch('/session', sent).catch(() => null)
  if (response === null) return shell.offline
  if (response.status === 401) return words.wrong
  if (!response.ok) return ((await response.json()) as ProblemBody).detail ?? response.statusText
  const { session } = (await response.json()) as SessionAnswer
  beginSession(session)
  return null
}
