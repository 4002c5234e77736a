// Starts Swagger UI on the documentation page. A separate file, because the page's policy allows no inline scripts.

import { nameFields } from './accessible-names.js'
import { plugin } from './plugin.js'

/** The session of the page that opened this one, if the server requires a token (ui/server/session.ts). */
function sessionOfTab() {
  try {
    return sessionStorage.getItem('dictation.session')
  } catch {
    return null
  }
}

const COPIED_MS = 2000

/** Open at first; the rest is one press away. */
const OPEN = ['transcription', 'captures']

nameFields(document.querySelector('#documentation'))

const page = SwaggerUIBundle({
  url: '/docs/json',
  dom_id: '#documentation',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Syntax colours take more than half a second for a long response.
  syntaxHighlight: false,
  // Otherwise Swagger UI sends the document to a validator on the internet.
  validatorUrl: null,
  requestInterceptor(request) {
    const session = sessionOfTab()
    if (session !== null) request.headers.Authorization ??= `Bearer ${session}`
    return request
  },
  plugins: [plugin],
  onComplete() {
    for (const resource of OPEN) page.layoutActions.show(['operations-tag', resource], true)
  },
})

for (const button of document.querySelectorAll('.copied button'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS)
  })

const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
