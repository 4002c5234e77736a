// The documentation page and its files: first steps, the table of problems, and the element for Swagger UI.

import { staticPlugin } from '@elysiajs/static'
import { Elysia } from 'elysia'
import { ownFile, readOwnFile } from '../../lib/own-files.ts'
import { PROBLEMS } from '../kernel/problem.ts'

/** Scripts only from this server. Inline styles are allowed, because Swagger UI writes style attributes. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The imports of start.js, preloaded in parallel instead of one after the other. */
const MODULES = ['accessible-names', 'plugin', 'request', 'resolve', 'samples']

type Step = { title: string; about: string; code: string; answer?: string }

/** @param server the address the reader used for the page, so that each step can be copied and run */
const stepsFor = (server: string): Step[] => [
  {
    title: 'Transcribe a recording',
    about:
      'Replace recording.wav by a file of yours, in any common format and of any length. Nothing is stored.',
    code: `curl ${server}/transcribe -F file=@recording.wav`,
    answer: `{"text": "There is a new message from your office.", "duration": 2.38, "language": "en", "segments": [ … ], … }`,
  },
  {
    title: 'Store recordings and search them',
    about: 'A capture stores the audio and its text, even if the power fails halfway.',
    code: `curl ${server}/captures -F file=@recording.wav\ncurl '${server}/captures?q=invoice'`,
  },
  {
    title: 'Use OpenAI’s client',
    about: 'Programs for OpenAI’s transcription API only need this server’s base address.',
    code: `from openai import OpenAI

client = OpenAI(base_url='${server}/v1', api_key='none')
with open('recording.wav', 'rb') as recording:
    print(client.audio.transcriptions.create(model='whisper-1', file=recording).text)`,
  },
  {
    title: 'Require a token',
    about: 'Without one, all your programs on this computer can use the server.',
    code: `DICTATION_TOKEN=a-long-secret-of-your-own dictation server start
curl ${server}/captures -H 'Authorization: Bearer a-long-secret-of-your-own'`,
  },
  {
    title: 'Stream the text',
    about: 'Server-sent events: segments, progress, and the complete result at the end.',
    code: `curl -N ${server}/transcribe -F file=@recording.wav -F stream=true`,
  },
]

/** The page. Its steps use the address of the request. */
export const docsPage = (request: Request): Response =>
  new Response(pageOf(new URL(request.url).origin), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': PAGE_POLICY,
    },
  })

const pageOf = (server: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Local Dictation: API</title>
<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/page/page.css">
<link rel="preload" href="/docs/json" as="fetch" crossorigin>
${MODULES.map((name) => `<link rel="modulepreload" href="/docs/page/${name}.js">`).join('\n')}
<script src="/docs/assets/swagger-ui-bundle.js" defer></script>
<script src="/docs/page/start.js" type="module"></script>
</head>
<body>
<div id="page">
<header>
<p class="home"><a href="/">← Local Dictation</a></p>
<h1>API</h1>
<p>Send a recording, get its text: on this computer, unless its settings name another server. The address is
<code>${server}</code>. Try each route below, or copy a request for curl, JavaScript or Python.</p>
</header>
<section id="steps" aria-label="First steps">
${stepsFor(server).map(stepOf).join('\n')}
</section>
<div id="documentation"></div>
<section aria-label="Conventions">
<h2>Conventions</h2>
<p>Times are ISO 8601 in UTC; durations and positions are seconds, unless their name ends in <code>_ms</code>. For
programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<details id="problems">
<summary>Errors</summary>
<p>Every error response is a problem (RFC 9457, <code>application/problem+json</code>) with a stable <code>code</code> for
programs, a <code>detail</code> for people and, for invalid input, <code>errors</code> that name each field. The endpoints
for OpenAI’s and whisper.cpp’s clients return errors in the format that those clients expect.</p>
<table>
<thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
<tbody>
${Object.entries(PROBLEMS)
  .map(
    ([code, { status, title }]) =>
      `<tr id="problem-${code}"><td>${status}</td><td><code>${code}</code></td><td>${escapeHtml(title)}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table>
</details>
</section>
</div>
</body>
</html>
`

const stepOf = ({ title, about, code, answer }: Step, at: number): string =>
  `<details name="step"${at === 0 ? ' open' : ''}>
<summary>${at + 1}. ${escapeHtml(title)}</summary>
<p>${escapeHtml(about)}</p>
<div class="copied"><pre><code>${escapeHtml(code)}</code></pre><button type="button">Copy</button></div>
${answer === undefined ? '' : `<p>The response:</p>\n<pre><code>${escapeHtml(answer)}</code></pre>`}
</details>`

const escapeHtml = (text: string): string => Bun.escapeHTML(text)

/** The files of the package that the page loads. */
const SWAGGER_UI = {
  'swagger-ui-bundle.js': 'text/javascript;charset=utf-8',
  'swagger-ui.css': 'text/css;charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** Neither the files of the page nor the document change while the server runs. */
export const isPartOfDocs = (path: string): boolean => path.startsWith('/docs/') || path === '/openapi.json'

export async function createDocsAssets(): Promise<Elysia> {
  const app = new Elysia()
  for (const [name, type] of Object.entries(SWAGGER_UI))
    app.get(`/docs/assets/${name}`, async () => {
      const content = await readOwnFile(`node_modules/swagger-ui-dist/${name}`)
      return new Response(content, { headers: { 'content-type': type } })
    })
  const served = {
    // Lists the files once at start, so that no request can name a path: no dotfiles, no links, no traversal.
    alwaysStatic: true,
    bundleHTML: false,
    indexHTML: false,
    // The plugin's ETags are unquoted, which RFC 9110 does not allow; server/file-response.ts sets its own.
    etag: false,
  }
  const own = ownFile('src/http/docs/assets')
  return app.use(await staticPlugin({ ...served, assets: own, prefix: '/docs/page', ignorePatterns: [] }))
}
