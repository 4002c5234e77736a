// Recognises technical words that must stay unchanged: addresses, paths, identifiers, versions.

/** Every pattern is anchored and runs in linear time; `\w` would miss accented letters. */
const TECHNICAL: readonly RegExp[] = [
  // URLs, with or without a scheme, and e-mail addresses.
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)\S+$/i,
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  // Paths: from the root, the home, the current or parent folder, or a drive; with several slashes; or with a file name.
  /^(?:~|\.{1,2})?\/[^\s/]\S*$/u,
  /^[a-z]:[\\/]\S*$/i,
  /^\\\\\S+$/,
  /^[\p{L}\p{N}_.@-]+(?:\/[\p{L}\p{N}_.@-]+)+\.[a-z0-9]{1,8}$/iu,
  /^[\p{L}\p{N}_.@-]+\/[\p{L}\p{N}_.@-]+\/\S*$/u,
  // Command-line options.
  /^-{1,2}\p{L}[\p{L}\p{N}-]*(?:=\S*)?$/u,
  // Versions, and numbers with a letter: v1.2.3, 10.0.0-rc.1, h264, 2x.
  /^v?\d+(?:\.\d+)*[-+.]?[a-z][\w.+-]*$/i,
  /^v\d+(?:\.\d+)*$/i,
  // camelCase and PascalCase, snake_case, names with digits in them.
  /^[\p{L}\p{N}$_@#.]*\p{Ll}[\p{L}\p{N}$_]*\p{Lu}[\p{L}\p{N}$_.-]*(?:\(\S*\))?$/u,
  /^[\p{L}\p{N}$.-]*_[\p{L}\p{N}$_.-]*(?:\(\S*\))?$/u,
  /^(?=\P{N}*\p{N})(?=[\p{N}_-]*\p{L})[\p{L}\p{N}_-]+$/u,
  // Calls, scopes, arrows, members, domains and files: run(), std::vector, a->b, package.json, .gitignore, e.g.
  /^[\p{L}\p{N}_.$-]+\(\S*\)$/u,
  /^[\p{L}\p{N}_$]+(?:::|->|=>)\S+$/u,
  /^\.?[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)+$/u,
  /^\.[\p{L}][\p{L}\p{N}_-]*$/u,
  // Mentions, hashtags, variables, and words that end in symbols, such as C++ and F#.
  /^[@#$%][\p{L}_{][\p{L}\p{N}_{}.-]*$/u,
  /^\p{L}{1,12}(?:\+\+|#)$/u,
]

const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u
/** eBay's, iPhone-Nutzer, GitHub’s */
const MIXED_CASE_JOINED = /^[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)+$/u
const MIXED_CASE = /\p{Ll}\p{M}*\p{Lu}/u

/** In characters. A longer run can only be a URL. */
const LONGEST = 300

/** Whether no rule may change a run of characters without spaces. */
export function isTechnical(run: string): boolean {
  if (LETTERS_ONLY.test(run)) return MIXED_CASE.test(run)
  if (run.length <= LONGEST && MIXED_CASE_JOINED.test(run) && MIXED_CASE.test(run)) return true
  if (run.length > LONGEST) return TECHNICAL[0]!.test(run)
  return TECHNICAL.some((pattern) => pattern.test(run))
}
