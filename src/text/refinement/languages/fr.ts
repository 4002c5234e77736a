import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

export const french: LanguageData = {
  code: 'fr',
  spaced: true,
  hesitation: /^(?:e+u+h+m*|h+e+u+|h+u+m+|h+m+|m{2,}h*|e+h+m+)$/u,
  discourse: {
    initial: list(`
      ben | bah | bon ben | bon bah | tu vois | vous voyez | tu sais | genre | eh ben | enfin bref |
      eh bien | vous savez
    `),
    between: list(`
      tu vois | vous voyez | tu sais | vous savez | genre | disons | comment dire | ben | bah | quoi |
      en gros | on va dire | si tu veux | si vous voulez | hein | je sais pas moi
    `),
    final: list(`
      quoi | tu vois | tu sais | vous voyez | hein | on va dire | voilà quoi
    `),
  },
  openers: list(`
    oui | non | bonjour | salut | bonsoir | d'accord | merci | allô | ah | oh | bon | ok | okay | cher |
    chère | désolé | enfin | d'abord | ensuite | alors | voilà | ouais | en fait | donc | bref |
    effectivement | par exemple | parfait | très bien | malheureusement | bien sûr | au fait |
    à vrai dire
  `),
  commaBefore: list(`
    mais | car | donc | puis | sauf | puisque | parce que | sinon | et puis | s'il | et après |
    et ensuite
  `),
  conjunctions: list(`
    et | mais | ou | donc | parce que | alors | oui | non | bon | ouais
  `),
  subjects: list(`
    je | tu | il | elle | on | nous | vous | ils | elles | ça | j'ai | c'est | c'était | j'étais | il y
  `),
  verbs: list(`
    est | sont | était | étaient | serait | sera | a | ont | avait | aura | va | vont | peut | doit | fait |
    convient | semble | reste | vaut | marche | coûte | n'est | c'est
  `),
  stutters: list(`
    je | tu | il | elle | on | ils | elles | le | la | les | un | une | des | du | de | et | mais | ou |
    que | qui | dans | pour | avec | sur | est | sont | c'est | j'ai | c'était | au | aux | ce | cette |
    ces | mon | ma | mes | son | sa | ses | notre | votre | leur | à | en | par | si | qu'il | qu'on |
    qu'elle | parce que | d'un | d'une | quand | comme | chez | sans | ne | se | donc | alors | ça |
    il y a | il faut | je suis | je pense | on peut | on va | est-ce que | j'étais | a | sera | ont |
    dont | c'est la | c'est le | dans le | dans la | pour le | pour la | sur le | sur la | à la |
    de la | ce n'est | on a | j'ai un | nous avons | vous pouvez | vous avez | nous devons | faut que |
    qu'est-ce que | tu peux | d'accord avec | m'a | t'a | l'a | n'est | était | suis | peut | peux |
    dois | vais | veux | fait que | très bien que
  `),
  isNumber: numberWords('fr', { more: list('un | midi | minuit | demi | demie') }),
  corrections: {
    retractions: list(`
      efface ça | effacez ça | non oublie ça | non efface ça | rayez ça | non oubliez ça |
      non effacez ça | rayez cela | effacez cela
    `),
    strong: list(`
      non pardon | pardon non | non attends | non attendez | attends non | attendez non |
      je voulais dire | non je veux dire | pardon je veux dire | pardon je voulais dire | non enfin |
      enfin non | ou plutôt | non plutôt | non je voulais dire | non désolé | désolé je voulais dire |
      non excusez-moi | non excuse-moi | ou plutôt non | euh non | non en fait | en fait non | ah non |
      correction | je rectifie | oups non | oh pardon | ah non pardon | non désolée |
      excusez-moi je voulais dire
    `),
    weak: list(`
      plutôt | je veux dire | pardon | enfin | non | désolé | désolée | excusez-moi | excuse-moi |
      en fait | oups
    `),
    kinds: [
      list(`
        lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche | aujourd'hui | demain |
        après-demain | hier | avant-hier
      `),
      list(`
        janvier | février | mars | avril | mai | juin | juillet | août | septembre | octobre | novembre |
        décembre
      `),
      ['gauche', 'droite'],
      ['matin', 'après-midi', 'soir', 'nuit'],
      list(`
        rouge | vert | verte | bleu | bleue | jaune | noir | noire | blanc | blanche | gris | grise |
        orange | rose | marron | violet
      `),
      ['euros', 'dollars', 'centimes', 'francs'],
      list(`
        jours | semaines | mois | ans | heures | minutes | secondes | années
      `),
    ],
    articles: ['le', 'la', 'les', 'un', 'une', 'des', 'du', 'au', 'aux'],
  },
  determiners: list(`
    le | la | les | un | une | des | du | de | ce | cet | cette | ces | mon | ma | mes | ton | ta |
    son | sa | notre | votre | leur | chaque | aucun | aucune | quel | quelle | au | aux | premier |
    première | deuxième | second | troisième | dernier | dernière | prochain | autre | mot | sans |
    avec | par | en
  `),
  spokenMarks: [
    {
      say: ['virgule'],
      decimal: true,
      write: ',',
      alone: true,
      notBefore: ['est', 'entre', 'après', 'avant', 'cinq'],
    },
    {
      say: ['point', 'point final'],
      noun: true,
      decimal: true,
      write: '.',
      adjectives: [
        'bon',
        'vrai',
        'important',
        'principal',
        'grand',
        'petit',
        'gros',
        'seul',
        'certain',
        'autre',
        'premier',
        'dernier',
        'même',
      ],
      notAfter: list(`
        à | mise | ne | pas | quel | faire | deux | trois | quatre | à ce | mal en | rond | tel | rien |
        ce | dix | cinq | sur | et
      `),
      notBefore: list(`
        de | d' | du | des | sur | commun | fort | faible | important | clé | que | mort | noir |
        essentiel | positif | négatif | sensible | est | par | com | fr | à | un | deux | trois | où |
        central | principal | culminant | numéro | crucial | précis | d'honneur | net | org | faire |
        d'eau | virgule
      `),
    },
    { say: ["point d'interrogation"], write: '?', alone: true, notBefore: ['est', 'sur', 'après'] },
    { say: ["point d'exclamation"], write: '!', alone: true, notBefore: ['est', 'après'] },
    {
      say: ['deux points', 'deux-points'],
      write: ':',
      notAfter: list(`
        a | ont | avec | reste | sur | ces | marque | marqué | par | gagné | perdu | entre | ou | et |
        a marqué | abordé | aborder
      `),
      notBefore: list(`
        de | d' | importants | essentiels | à | sont | sur | qui | que | communs | faibles | forts |
        dans | suivants | principaux | positifs | négatifs | en
      `),
    },
    { say: ['point-virgule', 'point virgule'], write: ';', alone: true, notBefore: ['est'] },
    { say: ['points de suspension', 'trois petits points'], write: '...', alone: true },
    {
      say: list(`
        à la ligne | nouvelle ligne | retour à la ligne | saut de ligne | passer à la ligne |
        va à la ligne | allez à la ligne
      `),
      write: '\n',
      notAfter: list(`
        pêche | pêcher | passer | aller | revenir | passe | pêchent | abonné | face | vais | va
      `),
      notBefore: list(`
        de | du | est | dans | pour | suivante | des | d' | droite | a
      `),
    },
    {
      say: ['nouveau paragraphe', 'paragraphe suivant'],
      write: '\n\n',
      notBefore: ['est', 'sur', 'dans', 'pour', 'de', 'qui', 'explique'],
    },
    {
      say: list(`
        ouvrez la parenthèse | ouvrir la parenthèse | ouvre la parenthèse | parenthèse ouvrante |
        ouvrez parenthèse | ouvrir parenthèse | parenthèse ouverte | ouvrez les parenthèses |
        entre parenthèses ouvrez | ouvre parenthèse
      `),
      write: '(',
      closedBy: {
        say: list(`
          fermez la parenthèse | fermer la parenthèse | ferme la parenthèse | parenthèse fermante |
          fermez parenthèse | fermer parenthèse | parenthèse fermée | fermez les parenthèses |
          ferme parenthèse
        `),
        write: ')',
      },
    },
    {
      say: list(`
        ouvrez les guillemets | ouvrir les guillemets | ouvre les guillemets | guillemets ouvrants |
        ouvrez guillemets | ouvrir guillemets | guillemet ouvrant | ouvre guillemets
      `),
      write: '«\u202f',
      closedBy: {
        say: list(`
          fermez les guillemets | fermer les guillemets | ferme les guillemets | guillemets fermants |
          fermez guillemets | fermer guillemets | guillemet fermant | ferme guillemets
        `),
        write: '\u202f»',
      },
    },
  ],
  symbols: {
    dot: ['point'],
    at: ['arobase', 'arrobase', 'at'],
    underscore: ['underscore', 'tiret bas'],
    slash: ['slash', 'barre oblique'],
    colon: ['deux points'],
    dash: ['tiret'],
  },
  abbreviations: list(`
    m | mm | mme | mlle | dr | pr | etc | cf | av | bd | tél | env | ex | janv | févr | juill | sept |
    oct | nov | déc | st | ste | art | no | vol | max | min
  `),
  salutations: list(`
    bonjour | cher | chère | chers | chères | salut | bonsoir | madame | monsieur | cordialement |
    bien cordialement | coucou
  `),
}
