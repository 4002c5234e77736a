// The declaration of options, and the options that every command has.

/** Values that the completion looks up when it is used. */
export type KnownValues = 'settings' | 'models' | 'installed models'

export type OptionSpec = {
  /** the placeholder of its value, such as FOLDER; without one it is a switch */
  value?: string
  short?: string
  /** lowercase, without a full stop; the default in brackets at the end: "the model [as in the settings]" */
  help: string
  choices?: readonly string[]
  known?: KnownValues
  /** may be repeated */
  many?: true
  /** accepted, but not shown: another name that users know from elsewhere */
  hidden?: true
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** The values of declared options, under their names as typed: `options['dry-run']`. */
export type OptionValues<O extends OptionSpecs> = {
  [Name in keyof O]?: O[Name] extends { value: string }
    ? O[Name] extends { many: true }
      ? string[]
      : O[Name] extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string
    : boolean
}

/** Options of all commands, except those that command.ts refuses. */
export const COMMON_OPTIONS = {
  server: { value: 'URL', help: 'the server [DICTATION_URL, or that of the data folder]' },
  'trust-server': {
    help: 'skip the check that a program of yours listens at that address (also DICTATION_TRUST_SERVER=yes)',
  },
  patience: {
    value: 'SECONDS',
    help: 'how long to wait for a server that restarts or is busy [600]',
  },
  json: { help: 'print JSON; errors are JSON on standard error' },
  quiet: { help: 'print only results and errors' },
  'no-progress': { help: 'draw no progress bar' },
  help: { short: 'h', help: 'show this text' },
} as const satisfies OptionSpecs

export type CommonOptions = OptionValues<typeof COMMON_OPTIONS>
