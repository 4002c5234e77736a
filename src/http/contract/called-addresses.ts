// What other programs, and people who guess, call what we have under another address: one table of hints.
// Addresses that are merely misspelt are server/nearest-address.ts's.

const ID = '([^/]+?)'

const CALLED: readonly [called: RegExp, ours: string][] = (
  [
    ['/(status|ping|healthz?|ready|readyz|livez)', '/health'],
    ['/(version|info)', '/'],
    ['/models', '/models/status'],
    ['/(recordings|transcripts|transcriptions|history)', '/captures'],
    ['/captures/(latest|last|newest|recent)', '/captures?limit=1'],
    [`/captures/${ID}[./](txt|md|srt|vtt|json)`, '/captures/$1/export?format=$2'],
    [`/captures/${ID}/(transcript|transcription|text|subtitles|captions|download)`, '/captures/$1/export'],
    [`/captures/${ID}[./](wav|mp3|m4a|flac|ogg|opus|webm|recording|sound|file)`, '/captures/$1/audio'],
  ] as const
).map(([called, ours]) => [new RegExp(`^${called}/?$`, 'i'), ours])

/** Null where the path is in none of the hints. */
export function calledAddress(path: string): string | null {
  const found = CALLED.find(([called]) => called.test(path))
  return found === undefined ? null : path.replace(...found)
}
