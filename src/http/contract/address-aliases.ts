// Addresses that other programs use, or that people guess, mapped to ours; used for "did you mean" hints.

const ID = '([^/]+?)'

const ADDRESS_ALIASES: readonly [alias: RegExp, address: string][] = (
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
).map(([alias, address]) => [new RegExp(`^${alias}/?$`, 'i'), address])

/** Null if no hint matches the path. */
export function addressOfAlias(path: string): string | null {
  const found = ADDRESS_ALIASES.find(([alias]) => alias.test(path))
  return found === undefined ? null : path.replace(...found)
}
