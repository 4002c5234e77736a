/** What `doctor` found. A `note` is not an error: something optional is missing. */
export type Check = { name: string; state: 'ok' | 'note' | 'wrong'; what: string; fix?: string }
