for (let n = 0; n < 3; n++) import(`./parts/part${n}.js`);
