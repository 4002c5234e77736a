// "dash m" behind the name of a program: the option "-m", and no dash between two thoughts.
// Options with two dashes need no program before them: those are spoken-symbols.ts.

import type { Language } from './languages/languages.ts'
import { endsWith, matchAt } from './phrases.ts'
import { after, before, isTerminator, startsSentence } from './punctuation.ts'
import { isSpoken, type TextToken } from './tokens.ts'

/** Programs whose names are hardly ever anything else; "make", "find" and "go" are words of every other sentence. */
const PROGRAMS = new Set(
  (
    'git gh svn npm npx pnpm yarn bun deno docker podman kubectl helm terraform ansible pip pip3 pipx python3 pytest ' +
    'python node java javac mvn gradle cargo rustc gcc clang cmake tsc eslint brew apt apt-get dnf pacman systemctl ' +
    'journalctl ssh scp sftp rsync curl wget tar gzip unzip grep egrep ripgrep rg sed awk xargs ls rm cp mv mkdir ' +
    'rmdir chmod chown sudo ps du df ffmpeg psql mysql sqlite sqlite3 redis-cli vim nvim tmux bash zsh'
  ).split(' '),
)

/** What is said right behind such a name when it is typed, and hardly when it is talked about. */
const SUBCOMMANDS = new Set(
  (
    'add apply branch build checkout cherry-pick clone commit compose create delete describe diff exec fetch get init ' +
    'install log logs merge ps pull push rebase remove reset restore rm run show stash status switch tag uninstall upgrade'
  ).split(' '),
)

/** What is said before a line that is to be typed. */
const CUES = new Set(['run', 'type', 'enter', 'execute', 'command', 'sudo'])

/** So far behind the program an option may stand, in words. */
const MOST_WORDS = 12
/** So far where only the place tells that it is one. */
const MOST_WORDS_BEFORE_A_NAME = 3

/** Letters that are words by themselves, by language. */
const WORDS_OF_ONE_LETTER: Record<string, string> = {
  en: 'ai',
  es: 'aeouy',
  fr: 'ayà',
  it: 'aeio',
  pt: 'aeoàé',
  nl: 'u',
}

/** An option to be written, or a dash to be left as it was spoken because nobody can tell; `to` is behind it. */
export type SpokenOption = { write: string | null; to: number }

/**
 * What the word for a dash at `at` means where a program was named before it; null where it may be a dash.
 * `kept` are the tokens before it, as they are written by now.
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
  if (isWord && goesOn(tokens, named + 1, language))
    return program.isTyped || program.opens ? spoken(dash) : null
  return { write: `-${name!.key}`, to: named + 1 }
}

const spoken = ({ to }: { to: number }): SpokenOption => ({ write: null, to })

type Program = { words: number; opens: boolean; isTyped: boolean }

/**
 * The nearest program before, in the same clause: `opens` where the line begins with it, `isTyped` where what is said
 * next is a part of its language.
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
    if (words > MOST_WORDS) return null
  }
  return null
}

const isLine = ({ words, opens, isTyped }: Program): boolean =>
  (opens || isTyped) && words <= MOST_WORDS_BEFORE_A_NAME

/** Whether more is said that another option does not begin: "git, a tool that everybody has". */
function goesOn(tokens: readonly TextToken[], from: number, language: Language): boolean {
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
