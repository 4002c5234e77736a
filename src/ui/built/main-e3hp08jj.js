import{d}from"./main-bv9nk095.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
