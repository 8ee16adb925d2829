insert into clients (id, name) values ('app', 'Benchmark') on conflict do nothing;
