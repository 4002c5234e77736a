// The page that asks for the token, shown in place of the documentation to who has none.
// Its script is assets/sign-in.js; what it asks for is service/session.ts.

/** Answered without a token, like the page itself. */
export const SIGN_IN_SCRIPT = '/docs/page/sign-in.js'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local Dictation: sign in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 24rem; margin: 20vh auto 0; padding: 0 1rem }
form { display: flex; gap: .5rem }
input { flex: 1; min-width: 0 }
input, button { font: inherit; padding: .4rem .6rem }
</style>
</head>
<body>
<main>
<h1>Local Dictation</h1>
<p>This server was started with a token (<code>DICTATION_TOKEN</code>).</p>
<form>
<input type="password" name="token" aria-label="Token" autocomplete="current-password" required autofocus>
<button>Sign in</button>
</form>
<p role="alert"></p>
</main>
<script src="${SIGN_IN_SCRIPT}"></script>
</body>
</html>
`

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const signInPage = (): Response =>
  new Response(PAGE, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
    },
  })
