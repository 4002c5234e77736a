import{u}from"./main-s02ca5m0.js";async function f(r){try{return await r(),!0}catch(t){return u(t),!1}}
export{f};
