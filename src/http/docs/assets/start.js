// Starts Swagger UI on the documentation page; a file because the page's policy allows no inline scripts.
// Runs in the browser.

import { plugin } from './plugin.js'

/** Of the page that this one was opened from, where the server demands a token (ui/server/session.ts). */
function sessionOfTab() {
  try {
    return sessionStorage.getItem('dictation.session')
  } catch {
    return null
  }
}

SwaggerUIBundle({
  url: '/docs/json',
  dom_id: '#documentation',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Colours cost more than half a second for a long answer.
  syntaxHighlight: false,
  // Otherwise the page would send the document to a validator on the internet.
  validatorUrl: null,
  requestInterceptor(request) {
    const session = sessionOfTab()
    if (session !== null) request.headers.Authorization ??= `Bearer ${session}`
    return request
  },
  plugins: [plugin],
})

const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
