// Recognises "dash m" after the name of a program as the option "-m", not as a dash between two thoughts.

import type { Language } from './languages/languages.ts'
import { endsWith, matchAt } from './phrases.ts'
import { after, before, isTerminator, startsSentence } from './punctuation.ts'
import { isSpoken, type TextToken } from './tokens.ts'

/** Programs whose names are rarely ordinary words, unlike "make", "find" and "go". */
const PROGRAMS = new Set(
  (
    'git gh svn npm npx pnpm yarn bun deno docker podman kubectl helm terraform ansible pip pip3 pipx python3 pytest ' +
    'python node java javac mvn gradle cargo rustc gcc clang cmake tsc eslint brew apt apt-get dnf pacman systemctl ' +
    'journalctl ssh scp sftp rsync curl wget tar gzip unzip grep egrep ripgrep rg sed awk xargs ls rm cp mv mkdir ' +
    'rmdir chmod chown sudo ps du df ffmpeg psql mysql sqlite sqlite3 redis-cli vim nvim tmux bash zsh'
  ).split(' '),
)

/** Words that follow the program in a command line, and rarely in prose. */
const SUBCOMMANDS = new Set(
  (
    'add apply branch build checkout cherry-pick clone commit compose create delete describe diff exec fetch get init ' +
    'install log logs merge ps pull push rebase remove reset restore rm run show stash status switch tag uninstall upgrade'
  ).split(' '),
)

/** Words before a dictated command line. */
const CUES = new Set(['run', 'type', 'enter', 'execute', 'command', 'sudo'])

/** Maximum distance of an option from the program, in words. */
const MAX_WORDS = 12
/** The same for an option that only its position identifies. */
const MAX_WORDS_BEFORE_A_NAME = 3

/** Single letters that are words, by language. */
const WORDS_OF_ONE_LETTER: Record<string, string> = {
  en: 'ai',
  es: 'aeouy',
  fr: 'ayà',
  it: 'aeio',
  pt: 'aeoàé',
  nl: 'u',
}

/** An option to write, or null to leave an ambiguous dash as spoken; `to` is the index after it. */
export type SpokenOption = { write: string | null; to: number }

/**
 * Interprets the word for a dash at `at` after the name of a program; null if it may be a punctuation dash.
 * `kept` are the tokens before it, already processed.
 */
export function optionAfterProgram(
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  at: number,
  language: Language,
): SpokenOption | null {
  const dash = matchAt(tokens, at, language.symbols)
  if (dash?.value !== 'dash') return null
  const named = after(tokens, dash.to)
  const name = tokens[named]
  const program = name?.kind === 'word' ? programBefore(kept) : null
  if (!program) return null
  if ([...name!.key].length > 1)
    return isLine(program) && (program.isTyped || !isFunctionWord(name!, language)) ? spoken(dash) : null
  const isWord = WORDS_OF_ONE_LETTER[language.code]?.includes(name!.key) ?? false
  if (isWord && continues(tokens, named + 1, language))
    return program.isTyped || program.opens ? spoken(dash) : null
  return { write: `-${name!.key}`, to: named + 1 }
}

const spoken = ({ to }: { to: number }): SpokenOption => ({ write: null, to })

type Program = { words: number; opens: boolean; isTyped: boolean }

/**
 * The nearest program before, in the same clause. `opens`: the line begins with it; `isTyped`: a subcommand follows it.
 */
function programBefore(kept: readonly TextToken[]): Program | null {
  let words = 0
  let next = ''
  for (let index = before(kept, kept.length); index >= 0; index = before(kept, index)) {
    const token = kept[index]!
    if (token.kind === 'newline' || (token.kind === 'mark' && !/^["'=:/]$/.test(token.text))) return null
    if (!isSpoken(token)) continue
    if (PROGRAMS.has(token.key)) {
      const previous = kept[before(kept, index)]
      const opens = startsSentence(kept, index) || CUES.has(previous?.key ?? '')
      return { words, opens, isTyped: SUBCOMMANDS.has(next) }
    }
    next = token.key
    words += 1
    if (words > MAX_WORDS) return null
  }
  return null
}

const isLine = ({ words, opens, isTyped }: Program): boolean =>
  (opens || isTyped) && words <= MAX_WORDS_BEFORE_A_NAME

/** Whether a word follows that does not begin another option: "git, a tool that everybody has". */
function continues(tokens: readonly TextToken[], from: number, language: Language): boolean {
  const next = after(tokens, from)
  const token = tokens[next]
  if (token?.kind !== 'word' || isTerminator(token)) return false
  return matchAt(tokens, next, language.symbols)?.value !== 'dash'
}

const isFunctionWord = (token: TextToken, language: Language): boolean =>
  endsWith([token], 1, language.determiners) ||
  matchAt([token], 0, language.stutters)?.to === 1 ||
  matchAt([token], 0, language.subjects)?.to === 1 ||
  matchAt([token], 0, language.verbs)?.to === 1 ||
  matchAt([token], 0, language.conjunctions)?.to === 1
