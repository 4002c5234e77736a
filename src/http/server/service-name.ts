// The word by which programs tell this server from others that answer on its port.
// What a person is shown is "Local Dictation".

export const SERVICE_NAME = 'local-dictation'
