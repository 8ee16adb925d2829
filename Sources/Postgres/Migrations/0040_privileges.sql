-- What sessions of a client are good for beside the app's own API: the person's account, and administration.
alter table clients
    add column audiences text[] not null default '{account}' check (audiences <@ array['account', 'administration']);
