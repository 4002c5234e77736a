import{d}from"./main-68vx2nth.js";async function m(r){try{return await r(),!0}catch(t){return d(t),!1}}
export{m};
