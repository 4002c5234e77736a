/** Lets clients tell this server from other programs on its port. Users see "Local Dictation". */
export const SERVICE_NAME = 'local-dictation'
