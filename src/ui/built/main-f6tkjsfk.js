import{d}from"./main-r9bx9ft0.js";async function p(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{p};
