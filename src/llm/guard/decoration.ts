// Detects markup that models add and speakers do not dictate: Markdown, tags, chat templates, emoji.

/** Not allowed unless the input has it. */
const MARKUP: readonly RegExp[] = [
  /\*\*|__\w|~~/g,
  /^\s*#{1,6} /gm,
  /`/g,
  /<\/?[a-z|][^>\n]*>|\[\/?INST\]/gi,
  /^(?:user|assistant|system)\s*[:\n]/gim,
  /(?<![\p{L}\p{N}*])\*[^\s*](?:[^*\n]*[^\s*])?\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_[^\s_](?:[^_\n]*[^\s_])?_(?![\p{L}\p{N}_])/gu,
  /^\s*>\s/gm,
  /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/gm,
  /^\s*\|.*\|\s*$/gm,
  /\[[^\]\n]+\]\([^)\n]+\)/g,
  /^\s*[-*+] \[[ x]\]/gim,
]

/** Decorations that a style may allow. */
const WISHES = {
  list: /^\s*(?:[-*+•‣▪–]|\p{Nd}{1,3}[.)])\s/gmu,
  emoji: /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/gu,
} as const
export type Decoration = keyof typeof WISHES

/** Whether the output has more markup than the input. */
export function isDecorated(input: string, output: string, wished: readonly Decoration[]): boolean {
  const unwished = Object.entries(WISHES).flatMap(([name, signs]) =>
    wished.some((one) => one === name) ? [] : signs,
  )
  return [...MARKUP, ...unwished].some((signs) => hasMore(output, input, signs))
}

/** Decorations that an example adds to its input. */
export const decorationsIn = ({ input, output }: { input: string; output: string }): Decoration[] =>
  (Object.keys(WISHES) as Decoration[]).filter((name) => hasMore(output, input, WISHES[name]))

const hasMore = (one: string, other: string, signs: RegExp): boolean =>
  countOf(one, signs) > countOf(other, signs)

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
