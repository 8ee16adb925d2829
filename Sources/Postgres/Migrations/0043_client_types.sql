-- A confidential client keeps a secret and proves itself by it. A public one (an app on a phone, a page of scripts) can't:
-- its secret, if there is one, is its back end's and good for introspection alone.
alter table clients
    add column type text not null default 'public' check (type in ('public', 'confidential')),
    -- By provider: the audiences that its tokens may have; a provider without an entry: every one that it is set up with.
    add column accepted_audiences jsonb not null default '{}' check (jsonb_typeof(accepted_audiences) = 'object'),
    add constraint clients_confidential_secret check (type = 'public' or secret_digest is not null);

-- The last generation of the refresh token whose predecessor came late once more, and how many such generations came in a
-- row up to it. Null until it happens, and no rotation writes them.
alter table sessions add column late_generation integer, add column late_streak smallint;

drop function if exists rotate_refresh_token(uuid, integer, bytea, bytea, integer, text, text, boolean, jsonb, jsonb, integer);
