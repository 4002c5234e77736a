// The seven built-in writing styles as they are shipped, and their update where the user has not changed them.

import { foldedName } from '../text/fold.ts'
import { PLAIN_CONTENT, type StyleContent, type WritingStyle } from './style.ts'

/** The ids never change, so that references to a built-in style survive a rebuilt database. */
const OWN_IDS = '00000000-0000-7000-8000-00000000000'
const idOf = (number: number): string => `${OWN_IDS}${number}`

export type BuiltinStyle = StyleContent & { id: string }

const { rules } = PLAIN_CONTENT

/** The first is the default until the user chooses another. */
export const BUILTIN_STYLES: readonly BuiltinStyle[] = [
  {
    ...PLAIN_CONTENT,
    id: idOf(1),
    name: 'Default',
    description: 'Clean sentences in your own words, wherever no other style matches.',
  },
  {
    ...PLAIN_CONTENT,
    id: idOf(2),
    name: 'Verbatim',
    description: 'Exactly what was understood: nothing is changed.',
    tone: 'verbatim',
    smartCleanup: false,
    selfCorrection: false,
    preserveTechnical: false,
    useLlm: false,
    rules: { ...rules, removeFillers: false, capitalize: 'none', spokenPunctuation: false, numbers: 'words' },
  },
  {
    ...PLAIN_CONTENT,
    id: idOf(3),
    name: 'Formal',
    description: 'For letters and reports: full words, complete sentences, paragraphs.',
    tone: 'formal',
    instructions: 'Write out contractions. Avoid colloquial expressions.',
    examples: [
      {
        input: "we can't finish it by friday but we'll send you a first draft",
        output: 'We cannot finish it by Friday, but we will send you a first draft.',
      },
    ],
    rules: { ...rules, numbers: 'words', paragraphs: true },
    appCategories: ['document'],
    urlPatterns: ['docs.google.com/document', 'word.cloud.microsoft', '*.officeapps.live.com'],
  },
  {
    ...PLAIN_CONTENT,
    id: idOf(4),
    name: 'Email',
    description: 'Polite sentences in paragraphs; greeting and closing stand on lines of their own.',
    instructions:
      'Put greeting and closing on lines of their own, if the text has them. Never invent either.',
    examples: [
      {
        input: 'hi Anna thanks for the figures I will look at them tomorrow best Tom',
        output: 'Hi Anna,\n\nThanks for the figures. I will look at them tomorrow.\n\nBest\nTom',
      },
    ],
    rules: { ...rules, paragraphs: true },
    appCategories: ['email'],
    urlPatterns: [
      ...['mail.google.com', 'outlook.live.com', 'outlook.office.com', 'outlook.office365.com'],
      ...['outlook.cloud.microsoft', 'mail.yahoo.com', 'mail.proton.me', 'app.fastmail.com', 'mail.zoho.com'],
      ...['icloud.com/mail', 'app.tuta.com', 'mail.aol.com', 'app.hey.com', '*.gmx.net', '*.web.de/mail*'],
    ],
  },
  {
    ...PLAIN_CONTENT,
    id: idOf(5),
    name: 'Chat',
    description: 'Short and light, without a full stop at the end.',
    tone: 'casual',
    instructions: 'Keep it as short as it was spoken.',
    examples: [
      { input: 'um yeah I will be there in ten minutes', output: 'yeah, I will be there in ten minutes' },
    ],
    rules: { ...rules, trailingPeriod: 'strip' },
    appCategories: ['chat'],
    urlPatterns: [
      ...['app.slack.com', 'discord.com/channels', 'web.whatsapp.com', 'web.telegram.org', 'messenger.com'],
      ...['teams.microsoft.com', 'teams.live.com', 'teams.cloud.microsoft', 'chat.google.com'],
      ...['mail.google.com/chat', 'messages.google.com', 'app.element.io', 'linkedin.com/messaging'],
    ],
  },
  {
    ...PLAIN_CONTENT,
    id: idOf(6),
    name: 'Notes',
    description: 'For your own notes: clean, divided into paragraphs.',
    instructions:
      'Keep the order of thoughts. Start a new line for each item of a list that was spoken as one.',
    examples: [
      {
        input: 'for the trip we need um tickets passports and an adapter',
        output: 'For the trip we need:\n- tickets\n- passports\n- an adapter',
      },
    ],
    rules: { ...rules, paragraphs: true },
    appCategories: ['notes'],
    urlPatterns: [
      ...['notion.so', '*.notion.site', 'keep.google.com', 'onenote.com', 'evernote.com', 'workflowy.com'],
      ...['app.reflect.app', 'trello.com', 'todoist.com'],
    ],
  },
  {
    ...PLAIN_CONTENT,
    id: idOf(7),
    name: 'Code',
    description: 'For editors and terminals: identifiers and symbols as they are, no capital, no full stop.',
    preserveTechnical: true,
    useLlm: false,
    rules: { ...rules, capitalize: 'none', trailingPeriod: 'strip' },
    appCategories: ['code', 'terminal'],
    urlPatterns: [
      ...['vscode.dev', '*.vscode.dev', 'github.dev', '*.github.dev', 'codesandbox.io', 'stackblitz.com'],
      ...['replit.com', 'codepen.io', '*.gitpod.io', 'colab.research.google.com'],
    ],
  },
]

export const builtinStyle = (id: string): BuiltinStyle | null =>
  BUILTIN_STYLES.find((style) => style.id === id) ?? null

/** Shipped examples are English; with a text in another language they would make a model translate. */
export const isShippedExample = ({ input }: { input: string }): boolean =>
  BUILTIN_STYLES.some(({ examples }) => examples.some((example) => example.input === input))

/** Puts all built-in styles first, removes duplicate ids and names, and leaves exactly one default, which is enabled. */
export function reconcileStyles(known: readonly WritingStyle[], now: Date): WritingStyle[] {
  const builtins = BUILTIN_STYLES.map(
    (builtin): WritingStyle =>
      known.find(({ id }) => id === builtin.id) ?? {
        ...builtin,
        kind: 'builtin',
        isDefault: false,
        usageCount: 0,
        lastUsedAt: null,
        createdAt: now,
        updatedAt: now,
      },
  ).map((style): WritingStyle => ({ ...style, kind: 'builtin' }))
  const custom = known
    .filter(({ id }) => !BUILTIN_STYLES.some((builtin) => builtin.id === id))
    // A newer version on the same database may ship more of them.
    .map((style): WritingStyle => ({ ...style, kind: style.id.startsWith(OWN_IDS) ? 'builtin' : 'custom' }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return withOneDefault(withOwnNames(withOwnIds([...builtins, ...custom])))
}

const withOwnIds = (styles: WritingStyle[]): WritingStyle[] =>
  styles.filter(({ id }, at) => styles.findIndex((style) => style.id === id) === at)

/** Makes names unique: a user may have copied a style in the file by hand. */
function withOwnNames(styles: WritingStyle[]): WritingStyle[] {
  const taken = new Set<string>()
  return styles.map((style) => {
    let name = style.name
    for (let number = 2; taken.has(foldedName(name)); number++) name = `${style.name} (${number})`
    taken.add(foldedName(name))
    return name === style.name ? style : { ...style, name }
  })
}

function withOneDefault(styles: WritingStyle[]): WritingStyle[] {
  const chosen = styles.find(({ isDefault, enabled }) => isDefault && enabled) ?? styles[0]
  return styles.map((style) => {
    if (style === chosen) return style.isDefault ? style : { ...style, isDefault: true, enabled: true }
    return style.isDefault ? { ...style, isDefault: false } : style
  })
}
