// Tells runs that must stay letter for letter (addresses, paths, identifiers, versions) from ordinary words.
// Looks at one run without spaces at a time; where runs and quotations begin and end is tokens.ts.

/** Every pattern is anchored and runs in linear time; `\w` alone would miss letters with accents. */
const TECHNICAL: readonly RegExp[] = [
  // An address with a scheme, or one that everybody takes for an address.
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)\S+$/i,
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  // Paths: from the root, the home, here, above, a drive; or with more than one slash; or ending in a file name.
  /^(?:~|\.{1,2})?\/[^\s/]\S*$/u,
  /^[a-z]:[\\/]\S*$/i,
  /^\\\\\S+$/,
  /^[\p{L}\p{N}_.@-]+(?:\/[\p{L}\p{N}_.@-]+)+\.[a-z0-9]{1,8}$/iu,
  /^[\p{L}\p{N}_.@-]+\/[\p{L}\p{N}_.@-]+\/\S*$/u,
  // Options of a command.
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
  // Mentions, hashtags, variables, and words that end in signs, as C++ and F# do.
  /^[@#$%][\p{L}_{][\p{L}\p{N}_{}.-]*$/u,
  /^\p{L}{1,12}(?:\+\+|#)$/u,
]

const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u
/** eBay's, iPhone-Nutzer, GitHub’s */
const MIXED_CASE_JOINED = /^[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)+$/u
const MIXED_CASE = /\p{Ll}\p{M}*\p{Lu}/u

/** Longer runs are only looked at as addresses: nothing else is written that long. */
const LONGEST = 300

/** Whether a run without spaces must not be changed by any rule. */
export function isTechnical(run: string): boolean {
  if (LETTERS_ONLY.test(run)) return MIXED_CASE.test(run)
  if (run.length <= LONGEST && MIXED_CASE_JOINED.test(run) && MIXED_CASE.test(run)) return true
  if (run.length > LONGEST) return TECHNICAL[0]!.test(run)
  return TECHNICAL.some((pattern) => pattern.test(run))
}
