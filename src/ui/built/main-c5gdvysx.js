import{d}from"./main-w2q16crt.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
