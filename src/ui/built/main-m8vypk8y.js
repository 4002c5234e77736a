import{d}from"./main-1hks8b1j.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
