import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

export const portuguese: LanguageData = {
  code: 'pt',
  spaced: true,
  // "um" is an article and "é" a verb.
  hesitation: /^(?:u+h+m*|h+u+m+|h+ã+|ã+h*|ã+h+n?|a+h+n+|a+h+m+|e+h+m*|é{2,}h*|h+m+|m{2,}h*|u{2,}m+)$/u,
  discourse: {
    initial: list(`
      tipo | tipo assim | sabe | digamos | pois é | pá | então assim
    `),
    between: list(`
      tipo | tipo assim | sabe | digamos | digamos assim | né | assim | sei lá | como dizer |
      por assim dizer | como é que se diz | é | pronto | pá | entende | percebes | entendeu | vá | ah
    `),
    final: list(`
      sabe | né | digamos assim | sei lá | por assim dizer | entende | entendeu | percebes | tipo assim |
      ou algo assim | tipo
    `),
  },
  openers: list(`
    sim | não | oi | olá | obrigado | obrigada | bom | bem | ok | okay | bom dia | boa tarde |
    boa noite | claro | certo | caro | cara | desculpa | desculpe | primeiro | depois | além disso |
    ah | oh | então | perfeito | por exemplo | infelizmente | muito obrigado | muito obrigada | tá bom |
    está bem | prezado | prezada | na verdade | aliás | a propósito | com certeza
  `),
  commaBefore: list(`
    mas | porém | porque | por favor | embora | pois | por isso | só que | enquanto | e depois | e aí |
    e então
  `),
  conjunctions: ['e', 'mas', 'ou', 'porque', 'então', 'sim', 'não', 'bom', 'aí'],
  subjects: list(`
    eu | tu | você | ele | ela | nós | vocês | eles | elas | a gente | acho | é | era | tenho | estou |
    quero
  `),
  verbs: list(`
    é | são | era | eram | está | estão | estava | foi | será | seria | tem | têm | tinha | vai | vão | pode
    | deve | fica | parece | convém | serve | funciona | dá
  `),
  stutters: list(`
    eu | tu | você | ele | ela | nós | o | a | os | as | um | uma | uns | umas | de | do | da | dos |
    das | em | na | nos | nas | que | e | ou | mas | para | por | com | é | se | ao | aos | à | pelo |
    pela | pra | meu | minha | seu | sua | nosso | nossa | como | quando | onde | porque | este | esta |
    esse | essa | isso | isto | aquele | aquela | está | são | tem | tenho | temos | quero | preciso |
    precisamos | vamos | vou | acho que | foi | era | sobre | até | desde | sem | entre | me | no |
    a gente | eles | elas | vocês | pode | podemos | também | num | numa | estou | ter que | tenho que |
    temos que | quem | qual | lhe | te | cada | já | não sei | não é | é um | é uma | para o | para a |
    com o | com a | que o | que a | que não | eu acho | a minha | o meu | mas não | posso | queria |
    antes de | depois de | isso é | tá | seria | deve | devemos | pelos | pelas | dele | dela | quanto
  `),
  isNumber: numberWords('pt', { more: list('meia | meio-dia | meia-noite') }),
  corrections: {
    retractions: list(`
      apaga isso | apague isso | risca isso | não apaga isso | apaga o que eu disse | não esquece isso |
      risque isso | não esqueça isso
    `),
    strong: list(`
      não espera | espera não | não desculpa | desculpa não | não perdão | perdão não | quero dizer |
      não quero dizer | quis dizer | não quis dizer | ou melhor | não espere | não digo | queria dizer |
      não queria dizer | desculpa quis dizer | desculpe quis dizer | ou antes | não peraí | peraí não |
      não aliás | minto | não minto | digo | corrigindo | correção | não desculpe | desculpe não |
      não não espera | me enganei | enganei-me | não melhor | desculpa queria dizer |
      perdão quis dizer | ah não | opa não | não calma | ou melhor dizendo | melhor dizendo | não pera |
      pera não
    `),
    weak: list(`
      quer dizer | desculpa | desculpe | perdão | não | opa | espera | na verdade | aliás
    `),
    kinds: [
      list(`
        segunda | terça | quarta | quinta | sexta | segunda-feira | terça-feira | quarta-feira |
        quinta-feira | sexta-feira | sábado | domingo | hoje | amanhã | ontem | depois de amanhã |
        anteontem
      `),
      list(`
        janeiro | fevereiro | março | abril | maio | junho | julho | agosto | setembro | outubro |
        novembro | dezembro
      `),
      ['esquerda', 'direita'],
      ['manhã', 'tarde', 'noite'],
      list(`
        vermelho | vermelha | verde | azul | amarelo | amarela | preto | preta | branco | branca | cinza |
        laranja | rosa | marrom | roxo
      `),
      ['reais', 'euros', 'dólares', 'centavos', 'cêntimos'],
      list(`
        dias | semanas | meses | anos | horas | minutos | segundos
      `),
    ],
    articles: list(`
      o | a | os | as | um | uma | ao | do | da | no | na | à
    `),
  },
  determiners: list(`
    o | a | os | as | um | uma | este | esta | esse | essa | aquele | aquela | meu | minha | seu | sua |
    nosso | cada | nenhum | nenhuma | algum | alguma | primeiro | primeira | segundo | segunda |
    terceiro | último | última | próximo | próxima | outro | outra | ao | do | da | no | na | palavra |
    sem | com | que | mesmo | mesma | de | nesse | neste | desse | deste | à | pelo | qual | num |
    nossa | qualquer | nessa | nesta | dessa | desta | daquele
  `),
  spokenMarks: [
    {
      say: ['vírgula'],
      decimal: true,
      write: ',',
      alone: true,
      notBefore: ['é', 'depois', 'antes', 'entre'],
    },
    {
      say: ['ponto', 'ponto final'],
      noun: true,
      decimal: true,
      write: '.',
      adjectives: ['bom', 'único', 'grande', 'importante', 'certo'],
      notAfter: list(`
        em | a | até | tal | dois | três | bater | facultativo | nenhum | fora de | quatro | e
      `),
      notBefore: list(`
        de | do | da | dos | e vírgula | com | forte | fraco | chave | importante | é | um | dois | três |
        quatro | cinco | por | cego | crítico | final | que | em | g | central | principal | facultativo |
        fundamental | número | org | net | br | parágrafo | crucial | era | onde | positivo | negativo |
        a favor | zero | pt | no | na
      `),
    },
    { say: ['ponto parágrafo', 'ponto e parágrafo'], write: '.\n\n', alone: true },
    {
      say: ['ponto de interrogação', 'sinal de interrogação'],
      write: '?',
      alone: true,
      notBefore: ['é', 'no', 'depois'],
    },
    {
      say: ['ponto de exclamação', 'sinal de exclamação'],
      write: '!',
      alone: true,
      notBefore: ['é', 'no', 'depois'],
    },
    {
      say: ['dois pontos'],
      write: ':',
      notAfter: list(`
        os | esses | estes | há | tem | tenho | temos | são | por | ganhou | perdeu | entre | e | ou | a |
        outros | fez | só | subiu | caiu | marcou | nos | dos | em
      `),
      notBefore: list(`
        de | importantes | chave | em | a | são | que | principais | percentuais | fundamentais | fortes |
        fracos | por | no | na | e | essenciais | positivos | negativos
      `),
    },
    { say: ['ponto e vírgula'], write: ';', alone: true, notBefore: ['é'] },
    { say: ['reticências', 'três pontinhos'], write: '...', alone: true, notBefore: ['são'] },
    { say: ['travessão'], write: ' –', notBefore: ['é', 'de', 'superior'] },
    {
      say: list(`
        nova linha | linha nova | quebra de linha | próxima linha | mudança de linha | pular linha |
        nova linha nova linha | muda de linha | pula linha
      `),
      write: '\n',
      notAfter: ['toda', 'grande', 'inserir', 'em', 'lançar'],
      notBefore: ['de', 'do', 'da', 'é', 'em', 'para', 'aérea', 'que'],
    },
    {
      say: ['novo parágrafo', 'parágrafo novo', 'próximo parágrafo'],
      write: '\n\n',
      notAfter: ['em', 'inserir'],
      notBefore: ['de', 'é', 'sobre', 'em', 'para', 'que', 'explica'],
    },
    {
      say: list(`
        abre parênteses | abrir parênteses | abre parêntesis | abre parêntese | abrir parêntesis |
        abrir parêntese
      `),
      write: '(',
      closedBy: {
        say: list(`
          fecha parênteses | fechar parênteses | fecha parêntesis | fecha parêntese | fechar parêntesis |
          fechar parêntese
        `),
        write: ')',
      },
    },
    {
      say: ['abre aspas', 'abrir aspas'],
      write: '"',
      closedBy: { say: ['fecha aspas', 'fechar aspas'], write: '"' },
    },
  ],
  symbols: {
    dot: ['ponto'],
    at: ['arroba'],
    underscore: ['underscore', 'underline', 'sublinhado', 'traço baixo'],
    slash: ['barra', 'slash'],
    colon: ['dois pontos'],
    dash: ['traço', 'hífen'],
  },
  abbreviations: list(`
    sr | sra | srta | dr | dra | etc | av | prof | profa | nº | pág | tel | ex | aprox | eng | art | vol |
    máx | mín | ltda | cia | exmo | exma | jan | fev | ago | set | out | nov | dez
  `),
  salutations: list(`
    oi | olá | caro | cara | caros | prezado | prezada | prezados | bom dia | boa tarde | boa noite |
    querido | querida | atenciosamente | abraços | abraço | cumprimentos
  `),
}
