import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

export const italian: LanguageData = {
  code: 'it',
  spaced: true,
  // "eh" also asks and agrees; it is a hesitation only between commas.
  hesitation: /^(?:e+h+m+|e{2,}h*|u+h+m*|m{2,}h*|m+h+|h+m+|u+h*m+|a+h+m+)$/u,
  discourse: {
    initial: list(`
      allora | cioè | sai | tipo | diciamo | ecco | beh | be | vabbè | eh
    `),
    between: list(`
      diciamo | tipo | sai | come dire | ecco | insomma | eh | capito | per così dire | beh | capisci |
      come si dice | vabbè | praticamente | vedi
    `),
    final: list(`
      sai | diciamo | ecco | insomma | per così dire | capito | tipo
    `),
  },
  openers: list(`
    sì | si | no | ciao | grazie | buongiorno | buonasera | bene | va bene | ok | okay | certo | caro |
    cara | scusa | scusi | prima | poi | infine | inoltre | quindi | ah | oh | perfetto | gentile |
    salve | esatto | per esempio | ad esempio | purtroppo | grazie mille | in realtà | certamente |
    naturalmente | a proposito | insomma
  `),
  commaBefore: list(`
    ma | però | perché | quindi | anche se | per favore | mentre | invece | bensì | e poi | e quindi |
    e allora
  `),
  conjunctions: ['e', 'ma', 'o', 'però', 'perché', 'quindi', 'sì', 'no', 'poi'],
  subjects: list(`
    io | tu | lui | lei | noi | voi | loro | credo | penso | è | era | ho | abbiamo | sono | voglio
  `),
  verbs: list(`
    è | sono | era | erano | sarà | sarebbe | ha | hanno | aveva | va | vanno | può | deve | viene | sembra
    | conviene | funziona | basta | costa
  `),
  stutters: list(`
    io | tu | lui | noi | il | la | lo | i | gli | le | un | una | uno | di | a | da | in | con | per |
    tra | fra | su | e | o | ma | che | è | mi | del | della | dei | delle | dello | al | alla | ai |
    alle | nel | nella | nei | sul | sulla | dal | dalla | se | come | quando | dove | perché | questo |
    questa | quello | quella | mio | mia | suo | sua | nostro | nostra | ho | ha | abbiamo | sono |
    anche | l'ho | c'è | cosa | chi | devo | dobbiamo | possiamo | posso | vorrei | voglio | penso che |
    credo che | bisogna | era | quindi | però | non | ti | agli | alcuni | ogni | stiamo | sto | può |
    degli | non lo | non so | in una | di una | per la | per il | con il | con la | a me | è un |
    è una | che il | che la | che non | si può | puoi | hai | non ho | non è | siamo | erano | sei |
    c'era | nelle | sulle | dalle | all'inizio | vogliamo | prima di | dopo di | ma non
  `),
  isNumber: numberWords('it', { more: list('uno | mezzogiorno | mezzanotte | mezza | mezzo') }),
  corrections: {
    retractions: list(`
      cancella questo | cancella tutto | cancelli questo | no cancella | lascia perdere quello |
      cancella | no cancella questo | cancella la frase
    `),
    strong: list(`
      no aspetta | aspetta no | no scusa | scusa no | no scusi | scusi no | volevo dire |
      no volevo dire | voglio dire | no anzi | anzi no | no cioè | cioè no | no aspetti |
      scusa volevo dire | scusi volevo dire | o meglio | o piuttosto | no no aspetta | mi correggo |
      correggo | no meglio | no pardon | pardon no | intendevo | no intendevo | ah no | oh no |
      correzione | intendo dire | no voglio dire | no un attimo | no mi sbaglio | mi sbaglio |
      ho sbagliato
    `),
    weak: list(`
      scusa | scusi | no | cioè | pardon | intendo | scusate | aspetta | anzi
    `),
    kinds: [
      list(`
        lunedì | martedì | mercoledì | giovedì | venerdì | sabato | domenica | oggi | domani | ieri |
        dopodomani | l'altroieri
      `),
      list(`
        gennaio | febbraio | marzo | aprile | maggio | giugno | luglio | agosto | settembre | ottobre |
        novembre | dicembre
      `),
      ['sinistra', 'destra'],
      ['mattina', 'pomeriggio', 'sera', 'notte'],
      list(`
        rosso | rossa | verde | blu | giallo | gialla | nero | nera | bianco | bianca | grigio | grigia |
        arancione | rosa | marrone | viola
      `),
      ['euro', 'dollari', 'centesimi'],
      list(`
        giorni | settimane | mesi | anni | ore | minuti | secondi
      `),
    ],
    articles: list(`
      il | la | lo | i | gli | le | un | una | uno | al | alla | del | della
    `),
  },
  determiners: list(`
    il | lo | la | i | gli | le | un | uno | una | questo | questa | quel | quella | quello | mio |
    tuo | suo | nostro | ogni | nessun | nessuna | qualche | primo | prima | secondo | seconda | terzo |
    ultimo | ultima | prossimo | altro | altra | al | del | dal | nel | sul | parola | senza | con |
    che | stesso | stessa | di | a | alla | della | qual | dalla | nella
  `),
  spokenMarks: [
    {
      say: ['virgola'],
      decimal: true,
      write: ',',
      alone: true,
      notBefore: ['è', 'dopo', 'prima', 'tra', 'mobile'],
    },
    {
      say: ['punto', 'punto fermo'],
      noun: true,
      decimal: true,
      write: '.',
      adjectives: ['buon', 'bel', 'unico', 'importante', 'certo'],
      notAfter: list(`
        in | fino | tal | due | tre | quattro | mezzo | messa | messo | di tutto | ad un | ad un certo |
        chiave | e | ed
      `),
      notBefore: list(`
        di | del | della | dei | e virgola | a capo | e a capo | com | it | forte | debole | chiave |
        importante | è | uno | due | tre | quattro | cinque | interrogativo | esclamativo | per | morto |
        cieco | critico | che | in | fondamentale | principale | numero | org | net | vendita | centrale |
        d'incontro | cruciale | su | dove | a favore | era | zero | fermo | dolente | d'accordo
      `),
    },
    { say: ['punto a capo', 'punto e a capo'], write: '.\n', alone: true },
    {
      say: ['punto interrogativo', 'punto di domanda'],
      write: '?',
      alone: true,
      notBefore: ['è', 'dopo', 'sul', 'su'],
    },
    { say: ['punto esclamativo'], write: '!', alone: true, notBefore: ['è', 'dopo'] },
    {
      say: ['due punti'],
      write: ':',
      notAfter: list(`
        i | questi | quei | ci sono | sono | ha | ho | abbiamo | hanno | per | di | tra | e | o | a |
        altri | vinto | perso | segnato | solo | sui | dei | restano
      `),
      notBefore: list(`
        di | importanti | chiave | in | a | sono | che | principali | fondamentali | percentuali |
        deboli | forti | per | da | dolenti | e
      `),
    },
    { say: ['punto e virgola'], write: ';', alone: true, notBefore: ['è'] },
    {
      say: list(`
        puntini di sospensione | puntini puntini | tre puntini | puntini sospensivi
      `),
      write: '...',
      alone: true,
      notBefore: ['sono'],
    },
    { say: ['lineetta'], write: ' –', notBefore: ['è', 'di'] },
    {
      say: list(`
        a capo | nuova riga | nuova linea | vai a capo | andare a capo | riga nuova | linea nuova |
        prossima riga
      `),
      write: '\n',
      notAfter: list(`
        andare | vai | va | sono | è | da | messo | vado | andiamo | di | in | essere | stare | sta |
        inserire | mandare | per andare | vengo | viene | venire | venirne | veniamo | ritorno
      `),
      notBefore: list(`
        di | del | della | dei | delle | chino | coperto | è | in | per | dell' | scoperto | che | alta |
        basso | rasato
      `),
    },
    {
      say: list(`
        nuovo paragrafo | paragrafo nuovo | nuovo capoverso | prossimo paragrafo
      `),
      write: '\n\n',
      notAfter: ['in', 'inserire'],
      notBefore: ['di', 'è', 'su', 'in', 'per', 'che', 'sul', 'spiega'],
    },
    {
      say: list(`
        aperta parentesi | apri parentesi | parentesi aperta | apro parentesi | aprire parentesi |
        apri la parentesi | aperte parentesi
      `),
      write: '(',
      closedBy: {
        say: list(`
          chiusa parentesi | chiudi parentesi | parentesi chiusa | chiudo parentesi | chiudere parentesi |
          chiudi la parentesi | chiuse parentesi
        `),
        write: ')',
      },
    },
    {
      say: list(`
        aperte virgolette | apri virgolette | virgolette aperte | apro virgolette | apri le virgolette |
        aperte le virgolette | aprire virgolette
      `),
      write: '"',
      closedBy: {
        say: list(`
          chiuse virgolette | chiudi virgolette | virgolette chiuse | chiudo virgolette |
          chiudi le virgolette | chiuse le virgolette | chiudere virgolette
        `),
        write: '"',
      },
    },
  ],
  symbols: {
    dot: ['punto'],
    at: ['chiocciola', 'at'],
    underscore: ['underscore', 'trattino basso'],
    slash: ['slash', 'barra', 'barra obliqua'],
    colon: ['due punti'],
    dash: ['trattino', 'meno'],
  },
  abbreviations: list(`
    sig | sigg | sig.ra | dott | dr | prof | ing | avv | ecc | es | pag | tel | art | ca | cfr | vol |
    spett | gent | egr | fig | nr | arch | geom | rag | max | min
  `),
  salutations: list(`
    ciao | caro | cara | cari | gentile | gentilissimo | gentilissima | buongiorno | buonasera | salve |
    egregio | spettabile | cordiali saluti | distinti saluti
  `),
  lowercaseAfterSalutation: true,
}
